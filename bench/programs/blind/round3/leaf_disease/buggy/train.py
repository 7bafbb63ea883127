import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

CLASSES = ["healthy", "rust", "mildew", "blight", "mosaic"]


def paint_leaf(kind, rng):
    yy, xx = np.mgrid[0:24, 0:24]
    img = np.zeros((3, 24, 24))
    leaf = ((yy - 12) / 11) ** 2 + ((xx - 12) / 8) ** 2 < 1
    img[1] = leaf * rng.uniform(0.45, 0.7)
    img[0] = leaf * 0.2
    spots = {0: 0, 1: 6, 2: 4, 3: 2, 4: 8}[kind]
    for _ in range(spots):
        cy, cx = rng.integers(5, 19, size=2)
        radius = {1: 1.6, 2: 2.4, 3: 4.5, 4: 1.6}[kind]
        spot = ((yy - cy) ** 2 + (xx - cx) ** 2 < radius ** 2) & leaf
        colour = {1: (0.7, 0.3, 0.0), 2: (0.7, 0.7, 0.7), 3: (0.3, 0.2, 0.0), 4: (0.6, 0.8, 0.1)}[kind]
        for c in range(3):
            img[c][spot] = colour[c]
    img = img * rng.uniform(0.6, 1.2) + 0.08 * rng.standard_normal(img.shape)
    return img.astype(np.float32)


def make_leaves(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(CLASSES), size=n)
    x = np.stack([paint_leaf(k, rng) for k in y])
    return TensorDataset(torch.from_numpy(x), torch.from_numpy(y))


class LeafNet(nn.Module):
    def __init__(self, n_classes, p_drop):
        super().__init__()
        self.conv = nn.Sequential(
            self.block(3, 16), self.block(16, 32), self.block(32, 48),
        )
        self.fc = nn.Sequential(
            nn.Flatten(), nn.Linear(48 * 3 * 3, 64),
            nn.ReLU(), nn.Dropout(p_drop), nn.Linear(64, n_classes),
        )

    @staticmethod
    def block(c_in, c_out):
        return nn.Sequential(nn.Conv2d(c_in, c_out, 3, padding=1), nn.BatchNorm2d(c_out),
                             nn.ReLU(), nn.MaxPool2d(2))

    def forward(self, x):
        return self.fc(self.conv(x))


def evaluate(model, loader):
    model.eval
    hits = np.zeros(len(CLASSES))
    counts = np.zeros(len(CLASSES))
    with torch.no_grad():
        for x, y in loader:
            pred = model(x).argmax(1)
            for p, t in zip(pred.tolist(), y.tolist()):
                hits[t] += p == t
                counts[t] += 1
    return hits.sum() / counts.sum(), hits / counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--dropout", type=float, default=0.4)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)

    train_loader = DataLoader(make_leaves(1500, seed=0), batch_size=32, shuffle=True)
    # the field device looks at one leaf at a time
    test_loader = DataLoader(make_leaves(300, seed=1), batch_size=1)
    model = LeafNet(len(CLASSES), args.dropout)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)

    for epoch in range(args.epochs):
        model.train()
        total, seen = 0.0, 0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
            seen += len(y)
        scheduler.step()
        acc, per_class = evaluate(model, test_loader)
        print(f"epoch {epoch + 1}: train loss {total / seen:.4f}  test acc {acc:.3f}")
    for name, value in zip(CLASSES, per_class):
        print(f"  {name:8s} {value:.2f}")


if __name__ == "__main__":
    main()
