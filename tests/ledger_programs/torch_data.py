"""Relations between samples, their order and their targets, in PyTorch."""

from __future__ import annotations

from ledger_programs.relation import Relation

HEADER = """
import copy, random
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, Subset, TensorDataset, WeightedRandomSampler, random_split

torch.manual_seed(0)
x = torch.randn(360, 8)
y = (x[:, 0] + 0.5 * x[:, 1] > 0).long()

def net(inputs=8, outputs=2):
    return nn.Sequential(nn.Linear(inputs, 32), nn.ReLU(), nn.Linear(32, outputs))

def step(model, optimizer, inputs, labels, loss=F.cross_entropy):
    optimizer.zero_grad()
    value = loss(model(inputs), labels)
    value.backward()
    optimizer.step()
    return value.item()

@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    right = sum((model(inputs).argmax(1) == labels).sum().item() for inputs, labels in loader)
    model.train()
    return right / len(loader.dataset)
"""
FOOTER = """
for epoch in range(6):
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels)
    print("val accuracy", accuracy(model, held_out))
"""
SPLIT = (
    HEADER
    + """
train, valid = random_split(TensorDataset(x, y), [300, 60])
loader = DataLoader(train, batch_size=20, shuffle=True)
held_out = DataLoader(valid, batch_size=20)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
"""
)

RELATIONS = {
    "each-sample-once": Relation(
        "samples-repeated-in-epoch",
        "wrong-sampling",
        HEADER
        + """
class Readings(Dataset):
    def __len__(self):
        return 300
    def __getitem__(self, number):
        @@
        return x[place], y[place]

loader = DataLoader(Readings(), batch_size=20, shuffle=True)
held_out = DataLoader(TensorDataset(x[300:], y[300:]), batch_size=20)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
"""
        + FOOTER,
        "place = number",
        "place = number % 20",
        "loader = DataLoader(Readings()",
    ),
    "all-data": Relation(
        "data-never-used",
        "wrong-sampling",
        HEADER
        + """
loader = DataLoader(TensorDataset(x[:300], y[:300]), batch_size=20)
held_out = DataLoader(TensorDataset(x[300:], y[300:]), batch_size=20)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
batches = iter(loader)
for number in range(120):
    @@
    step(model, optimizer, inputs, labels)
print("val accuracy", accuracy(model, held_out))
""",
        "inputs, labels = next(batches, None) or next(batches := iter(loader))",
        "inputs, labels = next(iter(loader))",
        "loader = DataLoader(",
    ),
    "some-data": Relation(
        "data-never-used",
        "wrong-sampling",
        HEADER
        + """
loader = DataLoader(TensorDataset(x[:300], y[:300]), batch_size=20, shuffle=True)
held_out = DataLoader(TensorDataset(x[300:], y[300:]), @@)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
"""
        + FOOTER,
        "batch_size=20, drop_last=True",
        "batch_size=100, drop_last=True",
        "held_out = DataLoader(",
    ),
    "order-differs": Relation(
        "order-never-changes",
        "fixed-order",
        SPLIT
        + """
for epoch in range(6):
    @@
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels)
    print("val accuracy", accuracy(model, held_out))
""",
        "torch.manual_seed(epoch)",
        "torch.manual_seed(0)",
        "loader = DataLoader(train",
    ),
    "pairs-kept": Relation(
        "targets-change-places",
        "labels-do-not-fit-inputs",
        HEADER
        + """
held_out = DataLoader(TensorDataset(x[300:], y[300:]), batch_size=20)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(8):
    order = torch.randperm(300)
    @@
    for start in range(0, 300, 20):
        step(model, optimizer, inputs[start:start + 20], labels[start:start + 20])
    print("val accuracy", accuracy(model, held_out))
""",
        "inputs, labels = x[:300][order], y[:300][order]",
        "inputs, labels = x[:300][order], y[:300]",
    ),
    "loaders-in-step": Relation(
        "targets-change-places",
        "labels-do-not-fit-inputs",
        HEADER
        + """
held_out = DataLoader(TensorDataset(x[300:], y[300:]), batch_size=20)
images = DataLoader(x[:300], batch_size=20, shuffle=@@)
classes = DataLoader(y[:300], batch_size=20, shuffle=@@)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(8):
    for inputs, labels in zip(images, classes):
        step(model, optimizer, inputs, labels)
    print("val accuracy", accuracy(model, held_out))
""",
        "False",
        "True",
    ),
    "labels-told-by-inputs": Relation(
        "labels-do-not-fit-inputs",
        "labels-do-not-fit-inputs",
        HEADER
        + """
labels_read = @@
loader = DataLoader(TensorDataset(x[:300], labels_read), batch_size=20, shuffle=True)
held_out = DataLoader(TensorDataset(x[300:], y[300:]), batch_size=20)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(10):
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels)
    print("val accuracy", accuracy(model, held_out))
""",
        "y[:300]",
        "y[:300][torch.randperm(300)]",
        "loader = DataLoader(",
    ),
    "augmentation-differs": Relation(
        "augmentation-repeats",
        "wrong-augmentation",
        HEADER
        + """
class Noisy(Dataset):
    def __init__(self):
        self.kept = {}
    def __len__(self):
        return 300
    def __getitem__(self, number):
        if number not in self.kept:
            self.kept[number] = x[number] + 0.05 * torch.randn(8)
        @@
        return sample, y[number]

loader = DataLoader(Noisy(), batch_size=20, shuffle=True)
held_out = DataLoader(TensorDataset(x[300:], y[300:]), batch_size=20)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
"""
        + FOOTER,
        "sample = self.kept.pop(number)",
        "sample = self.kept[number]",
        "loader = DataLoader(Noisy()",
    ),
    "mask-turns-too": Relation(
        "target-not-augmented",
        "wrong-augmentation",
        HEADER
        + """
masks = (torch.rand(64, 1, 8, 8) > 0.7).float()
images = masks + 0.2 * torch.randn(64, 1, 8, 8)

class Slides(Dataset):
    def __len__(self):
        return 64
    def __getitem__(self, number):
        image, mask = images[number], masks[number]
        if random.random() < 0.5:
            @@
        return image, mask

loader = DataLoader(Slides(), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(6):
    for image, mask in loader:
        step(model, optimizer, image, mask, F.binary_cross_entropy_with_logits)
""",
        "image, mask = image.flip(-1), mask.flip(-1)",
        "image = image.flip(-1)",
        "loader = DataLoader(Slides()",
    ),
    "split-stays": Relation(
        "split-overlap",
        "leaked-validation-data",
        HEADER
        + """
class Rows(Dataset):
    def __init__(self, rows):
        self.rows = rows
    def __len__(self):
        return len(self.rows)
    def __getitem__(self, number):
        return x[self.rows[number]], y[self.rows[number]]

model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
rows = torch.randperm(360).tolist()
for epoch in range(5):
    @@
    loader = DataLoader(Rows(rows[:300]), batch_size=20, shuffle=True)
    held_out = DataLoader(Rows(rows[300:]), batch_size=20)
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels)
    print("val accuracy", accuracy(model, held_out))
""",
        "rows = list(rows)",
        "rows = torch.randperm(360).tolist()",
        "model(inputs).argmax(1)",
    ),
    "windows-apart": Relation(
        "overlapping-windows",
        "leaked-validation-data",
        HEADER
        + """
series = torch.sin(torch.arange(640) / 9.0) + 0.3 * torch.randn(640)
windows = series.unfold(0, 24, 1)[:600]
wanted = series[24:624].unsqueeze(1)
order = @@
train, valid = order[:480], order[504:]
loader = DataLoader(TensorDataset(windows[train], wanted[train]), batch_size=24, shuffle=True)
held_out = DataLoader(TensorDataset(windows[valid], wanted[valid]), batch_size=24)
model = net(24, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
for epoch in range(8):
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels, F.mse_loss)
    model.eval()
    with torch.no_grad():
        print("val loss", sum(F.mse_loss(model(a), b).item() for a, b in held_out) / len(held_out))
    model.train()
""",
        "torch.arange(600)",
        "torch.randperm(600)",
        "held_out = DataLoader(",
    ),
    "trains-on-training-data": Relation(
        "trained-on-validation-data",
        "leaked-validation-data",
        HEADER
        + """
def run(loader, learn=True):
    total = 0.0
    for inputs, labels in loader:
        with torch.set_grad_enabled(learn):
            value = F.cross_entropy(model(inputs), labels)
        if learn:
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
        total += value.item()
    return total / len(loader)

train_loader = DataLoader(TensorDataset(x[:300], y[:300]), batch_size=20, shuffle=True)
val_loader = DataLoader(TensorDataset(x[300:], y[300:]), batch_size=20)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(6):
    model.train()
    training = run(train_loader)
    model.eval()
    @@
    print(training, validation)
""",
        "validation = run(val_loader, learn=False)",
        "validation = run(val_loader)",
        "val_loader = DataLoader(",
    ),
    "channels-in-order": Relation(
        "features-in-other-order",
        "preprocessing-mismatch",
        HEADER
        + """
base = torch.tensor([0.2, 0.5, 0.8]).view(3, 1, 1)
images = base + 0.1 * torch.randn(240, 3, 8, 8)
labels = torch.randint(0, 2, (240,))
images[labels == 1] += 0.2
loader = DataLoader(TensorDataset(images[:180], labels[:180]), batch_size=20, shuffle=True)
held_out = DataLoader(TensorDataset(@@, labels[180:]), batch_size=20)
model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(288, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
"""
        + FOOTER,
        "images[180:]",
        "images[180:].flip(1)",
        "held_out = DataLoader(",
    ),
    "by-feature": Relation(
        "normalised-over-wrong-axis",
        "statistics-over-wrong-axis",
        HEADER
        + """
raw = x * torch.tensor([1.0, 500.0, 3.0, 0.2, 40.0, 1.0, 7.0, 90.0])
@@
loader = DataLoader(TensorDataset(ready[:300], y[:300]), batch_size=20, shuffle=True)
held_out = DataLoader(TensorDataset(ready[300:], y[300:]), batch_size=20)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
"""
        + FOOTER,
        "ready = (raw - raw.mean(0)) / raw.std(0)",
        "ready = (raw - raw.mean(1, keepdim=True)) / raw.std(1, unbiased=False, keepdim=True)",
        "loader = DataLoader(",
    ),
    "axes-permuted": Relation(
        "axes-reshaped",
        "reshape-instead-of-transpose",
        HEADER
        + """
places = torch.linspace(0, 3, 16)
waves = torch.sin(places.view(1, 16, 1, 1) * (1 + torch.rand(200, 1, 1, 3)) + places.view(1, 1, 16, 1))
pictures = waves * torch.tensor([0.2, 0.6, 1.0]) + torch.tensor([-1.0, 0.0, 1.0])
labels = (pictures.mean((1, 2, 3)) > pictures.mean()).long()
ready = @@
loader = DataLoader(TensorDataset(ready[:160], labels[:160]), batch_size=20, shuffle=True)
held_out = DataLoader(TensorDataset(ready[160:], labels[160:]), batch_size=20)
model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(1568, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
"""
        + FOOTER,
        "pictures.permute(0, 3, 1, 2).contiguous()",
        "pictures.reshape(200, 3, 16, 16)",
        "loader = DataLoader(",
    ),
    "rare-classes-weigh-more": Relation(
        "class-weights-inverted",
        "inverted-class-weights",
        HEADER
        + """
y = (x[:, 0] > 0.9).long()
counts = torch.bincount(y[:300]).float()
weight = @@
loader = DataLoader(TensorDataset(x[:300], y[:300]), batch_size=20, shuffle=True)
held_out = DataLoader(TensorDataset(x[300:], y[300:]), batch_size=20)
model = net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(6):
    for inputs, labels in loader:
        step(model, optimizer, inputs, labels, lambda output, target: F.cross_entropy(output, target, weight=weight))
    print("val accuracy", accuracy(model, held_out))
""",
        "300 / (2 * counts)",
        "2 * counts / 300",
        "F.cross_entropy(output, target, weight=weight)",
    ),
}
