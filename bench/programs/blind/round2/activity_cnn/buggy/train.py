"""Human activity recognition from 3-axis accelerometer windows (simulated)."""
import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACTIVITIES = {"rest": (0.0, 0.0), "walk": (1.8, 0.8), "run": (2.9, 1.6),
              "stairs": (1.4, 1.0), "cycle": (1.1, 0.5)}


def window(name, rng, length=128, rate=32.0):
    freq, amp = ACTIVITIES[name]
    t = np.arange(length) / rate
    freq = freq * rng.uniform(0.93, 1.07)
    phase = rng.uniform(0, 2 * np.pi)
    sig = np.zeros((3, length))
    sig[0] = amp * np.sin(2 * np.pi * freq * t + phase)
    sig[1] = 0.6 * amp * np.sin(4 * np.pi * freq * t + phase)
    sig[2] = 1.0 + 0.4 * amp * np.cos(2 * np.pi * freq * t + phase)
    return sig + 0.5 * rng.standard_normal(sig.shape)


def build(count, rng):
    names = list(ACTIVITIES)
    labels = rng.integers(0, len(names), count)
    return np.stack([window(names[k], rng) for k in labels]).astype(np.float32), labels


class ActivityCNN(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(3, 24, 9, padding=4), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(24, 32, 9, padding=4), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(32, 48, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(1))
        self.head = nn.Linear(48, classes)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))


def train_epoch(model, loader, optimizer, criterion, clip):
    model.train()
    total = 0.0
    for signals, labels in loader:
        loss = criterion(model(signals), labels)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.zero_grad()
        optimizer.step()
        total += loss.item() * len(labels)
    return total / len(loader.dataset)


def test_epoch(model, loader):
    model.eval()
    with torch.no_grad():
        hits = sum((model(s).argmax(1) == y).sum().item() for s, y in loader)
    return hits / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--clip", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    x_train, y_train = build(1500, rng)
    x_val, y_val = build(400, rng)
    mean = x_train.mean(axis=(0, 2), keepdims=True)
    std = x_train.std(axis=(0, 2), keepdims=True)
    train = TensorDataset(torch.from_numpy((x_train - mean) / std), torch.from_numpy(y_train))
    val = TensorDataset(torch.from_numpy((x_val - mean) / std), torch.from_numpy(y_val))
    train_loader = DataLoader(train, batch_size=args.batch_size, shuffle=True)
    val_loader = DataLoader(val, batch_size=200)

    model = ActivityCNN(len(ACTIVITIES))
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(1, args.epochs + 1):
        loss = train_epoch(model, train_loader, optimizer, criterion, args.clip)
        print(f"epoch {epoch:2d}  loss {loss:.4f}  val acc {test_epoch(model, val_loader):.3f}")


if __name__ == "__main__":
    main()
