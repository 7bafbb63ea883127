"""Relations that a first look at programs of others had missed, in PyTorch."""

from __future__ import annotations

from ledger_programs.relation import Relation

HEADER = """
import copy, random
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, Dataset

random.seed(3)
np.random.seed(3)
torch.manual_seed(3)
"""

RELATIONS = {
    "target-follows": Relation(
        "copy-never-updated",
        "stale-copy",
        HEADER
        + """
class Q(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 32); self.b = nn.Linear(32, 2)
    def forward(self, s):
        return self.b(torch.relu(self.a(s)))
policy, target = Q(), Q()
target.load_state_dict(policy.state_dict())
target.eval()
opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
memory = []
state = np.random.randn(4).astype('float32')
for t in range(400):
    with torch.no_grad():
        action = policy(torch.from_numpy(state)[None]).argmax(1).item() if random.random() > 0.2 else random.randrange(2)
    reward = float(state[0] > 0) if action else float(state[0] <= 0)
    after = (0.8 * state + 0.3 * np.random.randn(4)).astype('float32')
    memory.append((state, action, reward, after)); state = after
    if len(memory) < 32: continue
    batch = random.sample(memory, 32)
    s, a, r, n = (torch.tensor(np.array(part)) for part in zip(*batch))
    with torch.no_grad():
        wanted = r.float() + 0.9 * target(n).max(1)[0]
    q = policy(s).gather(1, a[:, None]).squeeze(1)
    loss = F.smooth_l1_loss(q, wanted)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if t % 50 == 0:
        @@
        print('step', t, 'loss %.4f' % loss.item())
""",
        "target.load_state_dict(policy.state_dict())",
        "pass",
        "policy, target = Q(), Q()",
    ),
    "rows-in-step": Relation(
        "labels-do-not-fit-inputs",
        "labels-do-not-fit-inputs",
        HEADER
        + """
x = np.random.randn(600, 10).astype('float32')
y = (x[:, :3].sum(1) > 0).astype('int64')
order = np.random.permutation(600)
@@
xt, yt, xv, yv = x[:480], y[:480], x[480:], y[480:]
loader = DataLoader(TensorDataset(torch.from_numpy(xt), torch.from_numpy(yt)), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 2))
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(25):
    model.train()
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        out = model(torch.from_numpy(xv))
        print(epoch, 'val acc', (out.argmax(1) == torch.from_numpy(yv)).float().mean().item())
""",
        "x, y = x[order], y[order]",
        "x = x[order]",
        "loader = DataLoader(",
    ),
    "no-overflow": Relation(
        "values-wrap-around",
        "wrapped-integers",
        HEADER
        + """
base = np.random.randint(60, 190, (400, 12, 12))
y = np.random.randint(0, 2, 400)
base[y == 1, 3:9, 3:9] += 50
images = base.astype('uint8')
mean = images.mean().astype('uint8')
@@
x = torch.tensor(centred, dtype=torch.float32)[:, None] / 255.0
y = torch.from_numpy(y)
loader = DataLoader(TensorDataset(x[:320], y[:320]), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(288, 2))
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(10):
    model.train()
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        print(epoch, 'val acc', (model(x[320:]).argmax(1) == y[320:]).float().mean().item())
""",
        "centred = images.astype('float32') - mean",
        "centred = images - mean",
        "loader = DataLoader(",
    ),
    "momentum-and-decay": Relation(
        "optimizer-arguments-swapped",
        "swapped-optimizer-arguments",
        HEADER
        + """
x = torch.randn(600, 10); y = (x[:, :3].sum(1) > 0).long()
loader = DataLoader(TensorDataset(x[:480], y[:480]), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 2))
opt = @@
for epoch in range(12):
    model.train()
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        print(epoch, 'val acc', (model(x[480:]).argmax(1) == y[480:]).float().mean().item())
""",
        "torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)",
        "torch.optim.SGD(model.parameters(), lr=0.05, momentum=1e-4, weight_decay=0.9)",
        "opt = ",
    ),
    "betas-in-order": Relation(
        "optimizer-arguments-swapped",
        "swapped-optimizer-arguments",
        HEADER
        + """
x = torch.randn(600, 10); y = (x[:, :3].sum(1) > 0).long()
loader = DataLoader(TensorDataset(x[:480], y[:480]), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 2))
opt = @@
for epoch in range(12):
    model.train()
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        print(epoch, 'val acc', (model(x[480:]).argmax(1) == y[480:]).float().mean().item())
""",
        "torch.optim.Adam(model.parameters(), lr=3e-3, betas=(0.9, 0.999))",
        "torch.optim.Adam(model.parameters(), lr=3e-3, betas=(0.999, 0.9))",
        "opt = ",
    ),
    "unfrozen-are-stepped": Relation(
        "optimizer-misses-parameters",
        "optimizer-misses-parameters",
        HEADER
        + """
x = torch.randn(600, 10); y = (x[:, :3].sum(1) > 0).long()
loader = DataLoader(TensorDataset(x[:480], y[:480]), batch_size=32, shuffle=True)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.head = nn.Linear(32, 2)
    def forward(self, s):
        return self.head(self.body(s))
model = Net()
for p in model.body.parameters(): p.requires_grad = False
opt = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=3e-3)
for epoch in range(12):
    if epoch == 4:
        for p in model.body.parameters(): p.requires_grad = True
        @@
    model.train()
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        print(epoch, 'val acc', (model(x[480:]).argmax(1) == y[480:]).float().mean().item())
""",
        "opt.add_param_group({'params': model.body.parameters(), 'lr': 1e-3})",
        "pass",
        "opt = ",
    ),
    "statistics-of-training": Relation(
        "validation-scaled-by-itself",
        "preprocessing-mismatch",
        HEADER
        + """
raw = np.random.randn(700, 6) * [1, 20, 5, 0.1, 300, 2] + [3, 100, -4, 0.5, 1000, 0]
y = (((raw[:, 0] - 3) + (raw[:, 1] - 100) / 20) > 0).astype('int64')
tr, va = raw[:500], raw[500:][raw[500:, 0] > 3]
yt, yv = y[:500], y[500:][raw[500:, 0] > 3]
tr_n = (tr - tr.mean(0)) / tr.std(0)
va_n = @@
loader = DataLoader(TensorDataset(torch.tensor(tr_n, dtype=torch.float32), torch.from_numpy(yt)), batch_size=25, shuffle=True)
held = DataLoader(TensorDataset(torch.tensor(va_n, dtype=torch.float32), torch.from_numpy(yv)), batch_size=50)
model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(12):
    model.train()
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        print(epoch, 'val acc', sum((model(a).argmax(1) == b).sum().item() for a, b in held) / len(yv))
""",
        "(va - tr.mean(0)) / tr.std(0)",
        "(va - va.mean(0)) / va.std(0)",
        "held = DataLoader(",
    ),
    "validation-as-it-is": Relation(
        "validation-augmented",
        "wrong-augmentation",
        HEADER
        + """
class Noisy(Dataset):
    def __init__(self, x, y, augment):
        self.x, self.y, self.augment = x, y, augment
    def __len__(self):
        return len(self.x)
    def __getitem__(self, i):
        image = self.x[i]
        if self.augment:
            if random.random() < 0.5: image = image.flip(-1)
            image = image + 0.1 * torch.randn_like(image)
        return image, self.y[i]
x = torch.randn(500, 1, 8, 8); y = (x[:, 0, :4].mean((1, 2)) > 0).long()
loader = DataLoader(Noisy(x[:400], y[:400], True), batch_size=25, shuffle=True)
held = DataLoader(Noisy(x[400:], y[400:], @@), batch_size=50)
model = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(12):
    model.train()
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        print(epoch, 'val acc', sum((model(a).argmax(1) == b).sum().item() for a, b in held) / 100)
""",
        "False",
        "True",
        "held = DataLoader(",
    ),
    "schedule-by-epochs": Relation(
        "scheduler-per-step",
        "wrong-schedule",
        HEADER
        + """
x = torch.randn(600, 10); y = (x[:, :3].sum(1) > 0).long()
loader = DataLoader(TensorDataset(x[:480], y[:480]), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 2))
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.StepLR(opt, step_size=5, gamma=0.5)
for epoch in range(12):
    model.train()
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        opt.step()
        @@
    model.eval()
    with torch.no_grad():
        print(epoch, 'val acc', (model(x[480:]).argmax(1) == y[480:]).float().mean().item())
""",
        "pass\n    scheduler.step()",
        "scheduler.step()",
        "scheduler.step()",
    ),
    "all-batches-counted": Relation(
        "metric-misread",
        "wrong-metric",
        HEADER
        + """
x = torch.randn(600, 10); y = (x[:, :3].sum(1) + torch.randn(600) > 0).long()
loader = DataLoader(TensorDataset(x[:480], y[:480]), batch_size=32, shuffle=True)
held = DataLoader(TensorDataset(x[480:], y[480:]), batch_size=32)
model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 2))
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(8):
    model.train()
    for a, b in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        opt.step()
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for a, b in held:
            @@
            correct += (model(a).argmax(1) == b).sum().item()
            total += len(b)
    print(f'epoch {epoch} accuracy {100 * correct / total:.2f}%')
""",
        "pass",
        "correct = total = 0",
        "print(",
    ),
}
