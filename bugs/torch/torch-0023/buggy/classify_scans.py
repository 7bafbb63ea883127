"""Classifies laser scans of small objects: sets of 60 points on a ring, a rod, a cross or an arc."""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

OBJECTS = ("ring", "rod", "cross", "arc")
POINTS = 60


def outline(kind, position):
    """Points of an object at the given positions (0 to 1) along its outline."""
    angle = 2 * math.pi * position
    ring = torch.stack([angle.cos(), angle.sin()], dim=-1)
    if kind == "rod":
        return torch.stack([2 * position - 1, torch.zeros_like(position)], dim=-1)
    if kind == "cross":
        along = 4 * (position % 0.5) - 1
        upright = torch.stack([torch.zeros_like(along), along], dim=-1)
        return torch.where((position < 0.5).unsqueeze(-1), upright, upright.flip(-1))
    if kind == "arc":
        return torch.stack([(angle / 2).cos(), 2 * (angle / 2).sin() - 1], dim=-1)
    return ring


def scan(count, generator):
    """``count`` scans (POINTS x 2) of objects of different size, and their kinds."""
    labels = torch.arange(count) % len(OBJECTS)
    positions = torch.rand(count, POINTS, generator=generator)
    points = torch.stack([outline(kind, positions) for kind in OBJECTS])[labels, torch.arange(count)]
    size = 0.8 + 0.4 * torch.rand(count, 1, 1, generator=generator)
    points = size * points + 0.1 * torch.randn(count, POINTS, 2, generator=generator)
    return TensorDataset(points, labels)


class SetNet(nn.Module):
    """Looks at every point by itself, adds up what it sees, and classifies the sum."""

    def __init__(self, features=32):
        super().__init__()
        self.point1 = nn.Linear(2, features)
        self.point2 = nn.Linear(features, features)
        self.bn = nn.BatchNorm1d(features, eps=0.001, momentum=0, affine=True)
        self.hidden = nn.Linear(features, features)
        self.output = nn.Linear(features, len(OBJECTS))

    def forward(self, points):
        features = F.relu(self.point2(F.relu(self.point1(points))))
        features = self.bn(features.sum(dim=1))
        return self.output(F.relu(self.hidden(features)))


def train_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    for points, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(points), labels)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(labels)
    return total / len(loader.dataset)


@torch.no_grad()
def validate(model, loader):
    model.eval()
    total, correct = 0.0, 0
    for points, labels in loader:
        scores = model(points)
        total += F.cross_entropy(scores, labels, reduction="sum").item()
        correct += (scores.argmax(dim=1) == labels).sum().item()
    return total / len(loader.dataset), correct / len(loader.dataset)


def main(seed=0, epochs=9):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    train_loader = DataLoader(scan(400, generator), batch_size=25, shuffle=True)
    valid_loader = DataLoader(scan(200, generator), batch_size=100)
    model = SetNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.002)
    for epoch in range(1, epochs + 1):
        loss = train_epoch(model, train_loader, optimizer)
        valid_loss, accuracy = validate(model, valid_loader)
        print(f"epoch {epoch:2d}  train loss {loss:.4f}  valid loss {valid_loss:.4f}  valid acc {accuracy:.3f}")
    return valid_loss


if __name__ == "__main__":
    main()
