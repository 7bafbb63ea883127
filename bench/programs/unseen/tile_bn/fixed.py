"""Classify ceramic tile surfaces (5 kinds) with a small CNN with batch norm."""
import numpy as np
import torch
from torch import nn

torch.manual_seed(5)
rng = np.random.default_rng(5)
KINDS = ["plain", "stripes", "grid", "dots", "gradient"]
SIZE = 16


def tile(kind):
    r, c = np.mgrid[0:SIZE, 0:SIZE]
    off = rng.integers(0, 4)
    img = np.zeros((SIZE, SIZE))
    if kind == 1:
        img = ((c + off) % 4 < 2).astype(float)
    elif kind == 2:
        img = (((c + off) % 5 == 0) | ((r + off) % 5 == 0)).astype(float)
    elif kind == 3:
        img = (((c + off) % 4 == 0) & ((r + off) % 4 == 0)).astype(float) * 1.5
    elif kind == 4:
        img = r / SIZE
    return img + 0.3 * rng.standard_normal((SIZE, SIZE))


def make_split(per_kind):
    """Images stored kind by kind, as they come from the inspection folders."""
    x = np.stack([tile(k) for k in range(len(KINDS)) for _ in range(per_kind)])
    y = np.repeat(np.arange(len(KINDS)), per_kind)
    x = torch.tensor((x - 0.25) / 0.5, dtype=torch.float32).unsqueeze(1)
    return x, torch.tensor(y)


def build_model():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(16 * 16, 32), nn.BatchNorm1d(32), nn.ReLU(),
        nn.Dropout(0.3),
        nn.Linear(32, len(KINDS)),
    )


def train_epoch(model, optimizer, loss_fn, x, y, batch=50):
    model.train()
    total = 0.0
    perm = torch.randperm(len(x))
    for i in range(0, len(x), batch):
        idx = perm[i:i + batch]
        optimizer.zero_grad()
        loss = loss_fn(model(x[idx]), y[idx])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    return total / len(x)


def validate(model, x, y, batch=20):
    model.eval()
    correct = 0
    with torch.no_grad():
        for i in range(0, len(x), batch):
            pred = model(x[i:i + batch]).argmax(dim=1)
            correct += (pred == y[i:i + batch]).sum().item()
    return correct / len(x)


if __name__ == "__main__":
    x_train, y_train = make_split(300)
    x_val, y_val = make_split(80)
    net = build_model()
    loss_fn = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(6):
        loss = train_epoch(net, optimizer, loss_fn, x_train, y_train)
        print(f"[{epoch + 1}] train loss {loss:.4f}  val acc {validate(net, x_val, y_val):.3f}")
