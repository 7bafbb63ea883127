"""Relations between copies, states, graphs, labels, terms and views, in PyTorch, each in a style of its own."""

from __future__ import annotations

from ledger_programs.relation import Relation

RELATIONS = {
    "statistics-follow-weights": Relation(
        "statistics-left-behind",
        "average-without-buffers",
        """
import copy

import torch
from torch import nn
from torch.nn import functional as F


class Smoothed:
    def __init__(self, net, keep=0.9):
        self.keep, self.net = keep, copy.deepcopy(net)
        for p in self.net.parameters():
            p.requires_grad_(False)

    def follow(self, net):
        with torch.no_grad():
            for mine, theirs in zip(self.net.parameters(), net.parameters()):
                mine.copy_(self.keep * mine + (1 - self.keep) * theirs)
            @@


def data(n, g):
    x = torch.randn(n, 1, 12, 12, generator=g)
    y = (x[:, 0, :6].mean((1, 2)) > x[:, 0, 6:].mean((1, 2))).long()
    return 4 * x + 3, y


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(1)
    x, y = data(600, g)
    xv, yv = data(200, g)
    net = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 144, 2))
    smooth = Smoothed(net)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(6):
        net.train()
        for rows in torch.randperm(600).split(50):
            loss = F.cross_entropy(net(x[rows]), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            smooth.follow(net)
        print(epoch, f"{loss.item():.3f} raw {accuracy(net, xv, yv):.3f} smooth {accuracy(smooth.net, xv, yv):.3f}")
    torch.save(smooth.net.state_dict(), "net.pt")


main()
""",
        "for mine, theirs in zip(self.net.buffers(), net.buffers()): mine.copy_(theirs)",
        "pass",
    ),
    "states-are-copies": Relation(
        "inputs-always-equal",
        "returned-array-changed-later",
        """
import random
from collections import deque, namedtuple

import numpy as np
import torch
from torch import nn

Step = namedtuple("Step", "before action reward after over")


class Tank:
    "Keeps the level of two tanks."

    def __init__(self, rng):
        self.rng, self.levels = rng, np.zeros(2, dtype="float32")

    def start(self):
        self.levels = self.rng.uniform(-1, 1, 2).astype("float32")
        self.left = 25
        return self._seen()

    def _seen(self):
        return @@

    def apply(self, action):
        self.levels += (action - 1) * np.array([0.2, -0.1], dtype="float32")
        np.clip(self.levels, -2, 2, out=self.levels)
        self.left -= 1
        return self._seen(), -float(np.abs(self.levels).sum()), self.left == 0


class Agent:
    def __init__(self):
        self.net, self.slow = self.build(), self.build()
        self.slow.load_state_dict(self.net.state_dict())
        self.opt = torch.optim.RMSprop(self.net.parameters(), 1e-3)
        self.past = deque(maxlen=3000)

    def build(self):
        return nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 3))

    def act(self, seen, noise):
        if random.random() < noise:
            return random.randint(0, 2)
        return int(self.net(torch.tensor(seen)).argmax())

    def train(self):
        some = Step(*zip(*random.sample(self.past, 32)))
        before, after = torch.tensor(np.array(some.before)), torch.tensor(np.array(some.after))
        reward, over = torch.tensor(some.reward), torch.tensor(some.over)
        with torch.no_grad():
            wanted = reward + 0.9 * self.slow(after).max(1)[0] * ~over
        guess = self.net(before)[torch.arange(32), torch.tensor(some.action)]
        loss = ((guess - wanted) ** 2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


random.seed(0), torch.manual_seed(0)
tank, agent, losses = Tank(np.random.default_rng(0)), Agent(), []
for episode in range(40):
    seen, over, total = tank.start(), False, 0.0
    while not over:
        action = agent.act(seen, max(0.1, 1 - episode / 25))
        following, reward, over = tank.apply(action)
        agent.past.append(Step(seen, action, reward, following, over))
        seen, total = following, total + reward
        if len(agent.past) > 100:
            losses.append(agent.train())
    agent.slow.load_state_dict(agent.net.state_dict())
    if episode % 10 == 9:
        print(episode, round(total, 2), round(float(np.mean(losses[-100:])), 4))
""",
        "self.levels.copy()",
        "self.levels",
    ),
    "edges-stay-in-graph": Relation(
        "edges-leave-graph",
        "edges-without-offset",
        """
import random
import torch
from torch import nn


def ring(n):
    kind = torch.randint(0, 4, (n,))
    links = [(i, (i + 1) % n) for i in range(n)] + [((i + 1) % n, i) for i in range(n)]
    value = sum((kind[a] == kind[b]).item() for a, b in links) / n
    return {"atoms": kind, "links": torch.tensor(links).t(), "y": value}


def merge(rings):
    sizes = torch.tensor([len(r["atoms"]) for r in rings])
    start = torch.cumsum(sizes, 0) - sizes
    atoms = torch.cat([r["atoms"] for r in rings])
    links = torch.cat([r["links"] @@for r, s in zip(rings, start)], dim=1)
    return atoms, links, torch.repeat_interleave(torch.arange(len(rings)), sizes), torch.tensor([r["y"] for r in rings])


class Mpnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.pass_on, self.read = nn.Embedding(4, 16), nn.GRUCell(16, 16), nn.Linear(16, 1)

    def forward(self, atoms, links, molecule):
        h = self.embed(atoms)
        for _ in range(2):
            m = torch.zeros_like(h).index_add(0, links[1], h[links[0]])
            h = self.pass_on(m, h)
        n = int(molecule.max()) + 1
        total = torch.zeros(n, 16).index_add(0, molecule, h)
        return self.read(total / torch.bincount(molecule)[:, None]).squeeze(1)


torch.manual_seed(0), random.seed(0)
rings = [ring(random.randint(3, 8)) for _ in range(300)]
model = Mpnn()
opt = torch.optim.Adam(model.parameters(), 5e-3)
for epoch in range(5):
    random.shuffle(rings)
    for i in range(0, 300, 25):
        atoms, links, molecule, y = merge(rings[i:i + 25])
        loss = nn.functional.mse_loss(model(atoms, links, molecule), y)
        opt.zero_grad(), loss.backward(), opt.step()
    print(epoch, loss.item())
""",
        "+ s ",
        "",
    ),
    "ignored-label-is-padding": Relation(
        "ignored-between-others",
        "ignored-class-is-real",
        """
import torch
from torch import nn

torch.manual_seed(0)
WORDS, PAD = 40, 0
TAGS = {"O": 0, "NAME": 1, "DATE": 2, "PLACE": 3}


def sentence():
    n = int(torch.randint(5, 14, ()))
    words = torch.randint(1, WORDS, (n,))
    tags = torch.zeros(n, dtype=torch.long)
    tags[words < 5], tags[(words >= 5) & (words < 8)], tags[words > 36] = 1, 2, 3
    return words, tags


def collate(items):
    words = nn.utils.rnn.pad_sequence([w for w, _ in items], batch_first=True, padding_value=PAD)
    tags = nn.utils.rnn.pad_sequence([t for _, t in items], batch_first=True, padding_value=@@)
    return words, tags


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, 24, padding_idx=PAD)
        self.rnn = nn.LSTM(24, 24, batch_first=True, bidirectional=True)
        self.tags = nn.Linear(48, len(TAGS))

    def forward(self, words):
        return self.tags(self.rnn(self.words(words))[0])


items = [sentence() for _ in range(600)]
loader = torch.utils.data.DataLoader(items[:500], 25, shuffle=True, collate_fn=collate)
model = Tagger()
loss_fn = nn.CrossEntropyLoss(ignore_index=@@)
opt = torch.optim.Adam(model.parameters(), 5e-3)
for epoch in range(4):
    for words, tags in loader:
        loss = loss_fn(model(words).reshape(-1, len(TAGS)), tags.reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        words, tags = collate(items[500:])
        print(epoch, loss.item(), (model(words).argmax(-1) == tags)[words > 0].float().mean().item())
""",
        "-1",
        "0",
    ),
    "terms-reduced-alike": Relation(
        "mean-beside-sum",
        "unequal-reductions",
        """
import torch
from torch import nn

torch.manual_seed(0)
grid = torch.linspace(-1, 1, 12)
c = torch.rand(800, 2, 1) * 2 - 1
x = torch.exp(-((grid[None, :, None] - c[:, :1]) ** 2 + (grid[None, None] - c[:, 1:]) ** 2) / 0.1)


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.Sequential(nn.Flatten(), nn.Linear(144, 64), nn.ELU(), nn.Linear(64, 8))
        self.leave = nn.Sequential(nn.Linear(4, 64), nn.ELU(), nn.Linear(64, 144), nn.Unflatten(1, (12, 12)))

    def forward(self, x):
        mean, spread = self.enter(x).chunk(2, 1)
        return self.leave(mean + (spread / 2).exp() * torch.randn_like(mean)), mean, spread


def penalty(mean, spread):
    return 0.5 * (mean.square() + spread.exp() - spread - 1).sum(-1)


model = Coder()
opt = torch.optim.Adam(model.parameters(), 2e-3)
for epoch in range(4):
    for rows in torch.randperm(800).split(40):
        out, mean, spread = model(x[rows])
        gap = (out - x[rows]).pow(2)
        loss = @@ + penalty(mean, spread).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, loss.item(), penalty(mean, spread).mean().item())
""",
        "gap.flatten(1).sum(1).mean()",
        "gap.mean()",
    ),
    "pairs-are-views": Relation(
        "mismatched-pairs",
        "views-paired-wrongly",
        """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class Twice(Dataset):
    def __init__(self):
        self.x = torch.randn(300, 1, 8, 8, generator=torch.Generator().manual_seed(0))

    def __len__(self):
        return 300

    def __getitem__(self, i):
        return self.change(self.x[i]), self.change(self.x[i])

    def change(self, image):
        return image + 0.3 * torch.randn(1, 8, 8)


class NtXent(nn.Module):
    def forward(self, z):
        z = F.normalize(z, dim=1)
        logits = z @ z.T / 0.5
        logits.fill_diagonal_(-1e9)
        index = torch.arange(len(z))
        n = len(z) // 2
        return F.cross_entropy(logits, @@)


torch.manual_seed(1)
net = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(288, 16))
criterion, opt = NtXent(), torch.optim.Adam(net.parameters(), 1e-3)
for epoch in range(3):
    for a, b in DataLoader(Twice(), batch_size=50, shuffle=True):
        loss = criterion(net(torch.cat([a, b])))
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, loss.item())
""",
        "(index + n) % len(z)",
        "index ^ 1",
    ),
    "pairs-are-views-in-turns": Relation(
        "mismatched-pairs",
        "views-paired-wrongly",
        """
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
x = torch.randn(512, 24)
encoder = nn.Sequential(nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, 16))
opt = torch.optim.Adam(encoder.parameters(), 1e-3)


def jitter(a):
    return a * (1 + 0.1 * torch.randn(len(a), 1)) + 0.2 * torch.randn_like(a)


for epoch in range(3):
    for rows in torch.randperm(512).split(64):
        first, second = encoder(jitter(x[rows])), encoder(jitter(x[rows]))
        z = F.normalize(@@, dim=-1)
        scores = z @ z.t() / 0.2
        scores = scores.masked_fill(torch.eye(128, dtype=torch.bool), float("-inf"))
        wanted = (torch.arange(128) + 64) % 128
        loss = F.cross_entropy(scores, wanted)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, loss.item())
""",
        "torch.cat([first, second])",
        "torch.stack([first, second], 1).reshape(-1, 16)",
    ),
}
