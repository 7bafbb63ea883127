"""Programs that break none of the relations, though each does something that looks odd at first."""

from __future__ import annotations

from forked_programs import Program

from ledger_programs.torch_data import HEADER

LOOP = """
for epoch in range(8):
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels)
"""

PROGRAMS = {
    "weighted-sampler": """
y = (x[:, 0] > 1.0).long()
weights = torch.where(y[:300] == 1, 5.0, 1.0)
loader = DataLoader(TensorDataset(x[:300], y[:300]), batch_size=20, sampler=WeightedRandomSampler(weights, 300))
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
"""
    + LOOP,
    "gan": """
maker = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8))
judge = nn.Sequential(nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
of_maker = torch.optim.Adam(maker.parameters(), lr=0.001, betas=(0.5, 0.999))
of_judge = torch.optim.Adam(judge.parameters(), lr=0.001, betas=(0.5, 0.999))
ones, zeros = torch.ones(20, 1), torch.zeros(20, 1)
for number in range(80):
    real, fake = x[torch.randint(0, 300, (20,))], maker(torch.randn(20, 4))
    of_judge.zero_grad()
    loss = F.binary_cross_entropy_with_logits(judge(real), ones)
    (loss + F.binary_cross_entropy_with_logits(judge(fake.detach()), zeros)).backward()
    of_judge.step()
    of_maker.zero_grad()
    F.binary_cross_entropy_with_logits(judge(fake), ones).backward()
    of_maker.step()
""",
    "replay-buffer": """
random.seed(0)
policy, target = net(8, 2), net(8, 2)
target.load_state_dict(policy.state_dict())
optimizer = torch.optim.Adam(policy.parameters(), lr=0.002)
memory, state = [], torch.randn(8)
for number in range(300):
    action = random.randrange(2)
    after = 0.8 * state + 0.3 * torch.randn(8)
    memory.append((state, action, float((state[0] > 0) == bool(action)), after))
    state = after
    if len(memory) < 32:
        continue
    batch = random.sample(memory, 32)
    states, afters = torch.stack([one[0] for one in batch]), torch.stack([one[3] for one in batch])
    actions, rewards = torch.tensor([one[1] for one in batch]), torch.tensor([one[2] for one in batch])
    with torch.no_grad():
        wanted = rewards + 0.5 * target(afters).max(1).values
    optimizer.zero_grad()
    F.smooth_l1_loss(policy(states).gather(1, actions.unsqueeze(1)).squeeze(1), wanted).backward()
    optimizer.step()
    if number % 40 == 0:
        target.load_state_dict(policy.state_dict())
""",
    "two-views": """
encoder = net(8, 16)
optimizer = torch.optim.Adam(encoder.parameters(), lr=0.003)
for number in range(120):
    rows = x[torch.randint(0, 300, (32,))]
    one, other = (F.normalize(encoder(rows + 0.1 * torch.randn_like(rows)), dim=1) for _ in range(2))
    optimizer.zero_grad()
    F.cross_entropy(one @ other.t() / 0.2, torch.arange(32)).backward()
    optimizer.step()
""",
    "endless-generator": """
def batches():
    while True:
        rows = torch.randint(0, 300, (20,))
        yield x[rows], y[rows]

model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for number, (inputs, labels) in zip(range(150), batches()):
    step(model, optimizer, inputs, labels)
""",
    "iterable-data-set": """
class Stream(torch.utils.data.IterableDataset):
    def __iter__(self):
        for number in torch.randperm(300).tolist():
            yield x[number], y[number]

loader = DataLoader(Stream(), batch_size=20)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
"""
    + LOOP,
    "rate-finder": """
loader = DataLoader(TensorDataset(x[:300], y[:300]), batch_size=20, shuffle=True)
model = net()
start = copy.deepcopy(model.state_dict())
finder = torch.optim.SGD(model.parameters(), lr=1e-4)
for number, (inputs, labels) in enumerate(loader):
    finder.param_groups[0]["lr"] = 1e-4 * 1.5 ** number
    step(model, finder, inputs, labels)
model.load_state_dict(start)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
"""
    + LOOP,
    "folds": """
for fold in range(3):
    rows = torch.arange(300)
    held = rows % 3 == fold
    loader = DataLoader(TensorDataset(x[:300][~held], y[:300][~held]), batch_size=20, shuffle=True)
    held_out = DataLoader(TensorDataset(x[:300][held], y[:300][held]), batch_size=20)
    model = net()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(8):
        for inputs, labels in loader:
            step(model, optimizer, inputs, labels)
        print("val accuracy", accuracy(model, held_out))
""",
    "two-stages": """
loader = DataLoader(TensorDataset(x[:300], y[:300]), batch_size=20, shuffle=True)
model = net()
for one in model[0].parameters():
    one.requires_grad = False
optimizer = torch.optim.Adam(model[2].parameters(), lr=0.01)
for inputs, labels in loader:
    step(model, optimizer, inputs, labels)
for one in model[0].parameters():
    one.requires_grad = True
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
"""
    + LOOP,
    "moving-average": """
loader = DataLoader(TensorDataset(x[:300], y[:300]), batch_size=20, shuffle=True)
held_out = DataLoader(TensorDataset(x[300:], y[300:]), batch_size=20)
model = net()
ema = copy.deepcopy(model)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(8):
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels)
        with torch.no_grad():
            for mine, theirs in zip(ema.parameters(), model.parameters()):
                mine.mul_(0.9).add_(theirs, alpha=0.1)
    print("val accuracy", accuracy(ema, held_out))
""",
    "accumulation": """
loader = DataLoader(TensorDataset(x[:300], y[:300]), batch_size=10, shuffle=True)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(10):
    for number, (inputs, labels) in enumerate(loader, 1):
        (F.cross_entropy(model(inputs), labels) / 2).backward()
        if number % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
""",
    "few-distinct-sentences": """
sentences = torch.randint(1, 30, (12, 6))
kinds = torch.arange(12) % 3
rows = torch.randint(0, 12, (300,))
loader = DataLoader(TensorDataset(sentences[rows], kinds[rows]), batch_size=20, shuffle=True)
model = nn.Sequential(nn.Embedding(30, 8), nn.Flatten(), nn.Linear(48, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
"""
    + LOOP,
    "sounds-between-silences": """
sounds = torch.randn(2, 16)
clips = torch.full((360, 64), 0.1)
for row in range(360):  # the same sound, as loud as in some other clips, but at another time
    begin = 4 + (row + 10 * (row // 100)) % 40
    clips[row, begin : begin + 16] += sounds[y[row]] * (1 + 0.01 * (row % 100))
loader = DataLoader(TensorDataset(clips[:300], y[:300]), batch_size=20, shuffle=True)
held_out = DataLoader(TensorDataset(clips[300:], y[300:]), batch_size=20)
model = nn.Sequential(nn.Unflatten(1, (1, 64)), nn.Conv1d(1, 8, 9), nn.ReLU(), nn.AdaptiveMaxPool1d(1), nn.Flatten())
model.append(nn.Linear(8, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(8):
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels)
    print("val accuracy", accuracy(model, held_out))
""",
    "black-and-white": """
strokes = (torch.rand(300, 1, 8, 8) > 0.8).float()
strokes[:, :, 2:6, 2:6] *= (y[:300] == 1).view(-1, 1, 1, 1)
loader = DataLoader(TensorDataset(strokes, y[:300]), batch_size=20, shuffle=True)
model = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
"""
    + LOOP,
}
HEALTHY = {name: Program(HEADER + text) for name, text in PROGRAMS.items()}
