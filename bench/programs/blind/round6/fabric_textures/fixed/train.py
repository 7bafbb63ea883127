"""Pretrain a small CNN on generic textures, then reuse the trunk for fabric classes."""
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

SIZE = 24


def gratings(n, angles, freqs, rng):
    """Images with an oriented grating; the class is the (angle, frequency) pair."""
    classes = [(a, f) for a in angles for f in freqs]
    y = rng.integers(0, len(classes), size=n)
    gy, gx = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    x = np.empty((n, 1, SIZE, SIZE), dtype=np.float32)
    for i, c in enumerate(y):
        a, f = classes[c]
        phase = rng.uniform(0, 2 * math.pi)
        x[i, 0] = np.sin(2 * math.pi * f * (gx * math.cos(a) + gy * math.sin(a)) + phase)
    x += rng.normal(0, 0.6, x.shape)
    return torch.from_numpy(x), torch.from_numpy(y)


class TextureNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(1, 16, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
        self.head = nn.Linear(128, n_classes)

    def forward(self, x):
        return self.head(self.trunk(x))


def fit(model, optimizer, train, val, epochs, name):
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(train[0])).split(64):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(train[0][idx]), train[1][idx])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            acc = (model(val[0]).argmax(1) == val[1]).float().mean().item()
        print(f"{name} {epoch + 1}: loss {total / len(train[0]):.4f}  val acc {acc:.3f}")


def main():
    torch.manual_seed(5)
    rng = np.random.default_rng(5)
    base_angles = np.arange(6) * math.pi / 6
    base_train = gratings(2400, base_angles, (3, 6), rng)
    base_val = gratings(400, base_angles, (3, 6), rng)
    model = TextureNet(12)
    fit(model, torch.optim.Adam(model.parameters(), lr=2e-3), base_train, base_val, 8, "pretrain")

    # fabric task: new angles, few labelled samples, trunk frozen
    fabric_angles = np.array([0.25, 1.2, 2.2])
    fabric_train = gratings(400, fabric_angles, (4, 7), rng)
    fabric_val = gratings(400, fabric_angles, (4, 7), rng)
    for p in model.trunk.parameters():
        p.requires_grad = False
    model.head = nn.Linear(128, 6)
    optimizer = torch.optim.Adam(model.head.parameters(), lr=1e-2)
    fit(model, optimizer, fabric_train, fabric_val, 12, "fabric")


if __name__ == "__main__":
    main()
