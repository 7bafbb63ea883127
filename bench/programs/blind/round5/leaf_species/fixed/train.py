"""Leaf species from small grey images; the averaged model is the one we ship."""
import copy

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

N_SPECIES = 6
SIZE = 24


def make_leaves(n, seed):
    """Outline r(angle) with a species specific number of lobes and depth."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, N_SPECIES, size=n)
    lobes = np.array([2, 3, 4, 5, 3, 5])[y]
    depth = np.array([0.25, 0.2, 0.25, 0.2, 0.4, 0.4])[y] * rng.uniform(0.85, 1.15, size=n)
    yy, xx = np.mgrid[:SIZE, :SIZE] - (SIZE - 1) / 2
    cy, cx = rng.uniform(-1.5, 1.5, size=(2, n, 1, 1))
    dy, dx = yy[None] - cy, xx[None] - cx
    radius, angle = np.hypot(dy, dx), np.arctan2(dy, dx)
    turn = rng.uniform(-0.4, 0.4, size=(n, 1, 1))
    scale = rng.uniform(6.5, 8.5, size=(n, 1, 1))
    edge = scale * (1 + depth[:, None, None] * np.cos(lobes[:, None, None] * (angle + turn)))
    img = 160 * (radius < edge) + 30 + 20 * rng.standard_normal((n, SIZE, SIZE))
    return torch.tensor(img[:, None], dtype=torch.float32) / 255, torch.tensor(y)


def build_net():
    def conv(cin, cout):
        return [nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU()]
    return nn.Sequential(*conv(1, 16), nn.MaxPool2d(2), *conv(16, 32), nn.MaxPool2d(2),
                         *conv(32, 48), nn.AdaptiveAvgPool2d(2), nn.Flatten(),
                         nn.Linear(48 * 4, N_SPECIES))


class WeightAverage:
    """Exponential moving average of a model, used for validation and export."""

    def __init__(self, model, decay=0.98):
        self.decay = decay
        self.model = copy.deepcopy(model).eval()
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for avg, p in zip(self.model.parameters(), model.parameters()):
            avg.lerp_(p, 1 - self.decay)
        for avg, b in zip(self.model.buffers(), model.buffers()):
            avg.copy_(b)


def train_epoch(model, average, loader, optimizer, loss_fn):
    model.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        optimizer.step()
        average.update(model)
        total += loss.item() * len(y)
    return total / len(loader.dataset)


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(dim=1) == y).float().mean().item()


def main():
    torch.manual_seed(4)
    x_train, y_train = make_leaves(2400, seed=1)
    x_val, y_val = make_leaves(600, seed=2)
    loader = DataLoader(TensorDataset(x_train, y_train), batch_size=48, shuffle=True)

    model = build_net()
    average = WeightAverage(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.05)
    for epoch in range(1, 9):
        loss = train_epoch(model, average, loader, optimizer, loss_fn)
        print(f"epoch {epoch}: loss {loss:.4f}  val acc {accuracy(average.model, x_val, y_val):.3f}")
    torch.save(average.model.state_dict(), "leaf_species.pt")


if __name__ == "__main__":
    main()
