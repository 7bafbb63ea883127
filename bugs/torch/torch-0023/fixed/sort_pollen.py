"""Sorts pollen grains under the microscope: round, oval, spiked or three-lobed, 14 x 14 pixels."""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

GRAINS = ("round", "oval", "spiked", "lobed")
SIZE = 14


def photograph(count, generator):
    """``count`` pictures of single grains, turned at random, and their kinds."""
    labels = torch.arange(count) % len(GRAINS)
    steps = torch.linspace(-1, 1, SIZE)
    rows, columns = torch.meshgrid(steps, steps, indexing="ij")
    distance = (rows**2 + columns**2).sqrt()
    angle = torch.atan2(rows, columns) + 2 * math.pi * torch.rand(count, 1, 1, generator=generator)
    outlines = torch.stack(
        [
            torch.full_like(angle, 0.6),
            0.6 + 0.22 * torch.cos(2 * angle),
            0.6 + 0.18 * torch.cos(8 * angle),
            0.6 + 0.22 * torch.cos(3 * angle),
        ]
    )[labels, torch.arange(count)]
    grains = torch.sigmoid(12 * (outlines - distance))
    pictures = grains + 0.15 * torch.randn(count, SIZE, SIZE, generator=generator)
    pictures = (pictures - pictures.mean()) / pictures.std()
    return TensorDataset(pictures.unsqueeze(1), labels)


class ConvBlock(nn.Module):
    def __init__(self, in_planes, out_planes, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(in_planes, out_planes, 3, stride=stride, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(out_planes, eps=0.001, momentum=0.1, affine=True)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)))


class PollenNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(ConvBlock(1, 8), ConvBlock(8, 16, stride=2), ConvBlock(16, 16, stride=2))
        self.classifier = nn.Linear(16 * 4 * 4, len(GRAINS))

    def forward(self, pictures):
        return self.classifier(self.stem(pictures).flatten(1))


def run_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    for pictures, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(pictures), labels)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(labels)
    return total / len(loader.dataset)


@torch.no_grad()
def validate(model, loader):
    model.eval()
    total, correct = 0.0, 0
    for pictures, labels in loader:
        scores = model(pictures)
        total += F.cross_entropy(scores, labels, reduction="sum").item()
        correct += (scores.argmax(dim=1) == labels).sum().item()
    return total / len(loader.dataset), correct / len(loader.dataset)


def main(seed=0, epochs=10):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    train_loader = DataLoader(photograph(320, generator), batch_size=32, shuffle=True)
    valid_loader = DataLoader(photograph(160, generator), batch_size=80)
    model = PollenNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    for epoch in range(1, epochs + 1):
        loss = run_epoch(model, train_loader, optimizer)
        valid_loss, accuracy = validate(model, valid_loader)
        print(f"epoch {epoch:2d} train loss {loss:.4f} valid loss {valid_loss:.4f} valid acc {accuracy:.3f}")
    return valid_loss


if __name__ == "__main__":
    main()
