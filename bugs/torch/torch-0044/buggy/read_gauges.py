"""Reads the needle of a pressure gauge from a camera image of 16 x 16 pixels."""

import math

import torch
import torch.nn.functional as F
from torch import nn

ZONES = 6


def photograph(count, generator):
    zones = torch.arange(count) % ZONES
    angle = math.pi * (zones + 0.2 + 0.6 * torch.rand(count, generator=generator)) / ZONES
    images = 0.3 * torch.randn(count, 1, 16, 16, generator=generator)
    for step in torch.linspace(0, 7, 15):
        rows = (14 - step * torch.sin(angle)).round().long()
        columns = (8 + step * torch.cos(angle)).round().long().clamp(0, 15)
        images[torch.arange(count), 0, rows, columns] += 1.5
    return images, zones


class GaugeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = self._make_features((12, 24), drop=0.1)
        self.classifier = nn.Linear(24 * 4, ZONES)

    @staticmethod
    def _make_features(widths, drop):
        layers, inputs = [], 1
        for width in widths:
            layers += [nn.Conv2d(inputs, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(2)]
            inputs = width
        return nn.Sequential(*layers, nn.Dropout2d(drop))

    def forward(self, x):
        out = self.features(x)
        out = F.max_pool2d(out, kernel_size=2)
        out = F.dropout2d(out, 0.3, training=True)
        return self.classifier(out.flatten(1))


def train(model, images, zones, epochs=8, batch_size=30):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    model.train()
    for epoch in range(epochs):
        total = 0.0
        for batch in torch.randperm(len(zones)).split(batch_size):
            loss = F.cross_entropy(model(images[batch]), zones[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        print(f"epoch {epoch}: {total / len(zones):.3f}")


@torch.no_grad()
def read(model, images):
    model.eval()
    return model(images).argmax(dim=1)


def main(seed=0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = GaugeNet()
    train(model, *photograph(360, generator))
    images, zones = photograph(120, generator)
    for attempt in range(3):
        print(f"reading {attempt}: {(read(model, images) == zones).float().mean().item():.3f} correct")


if __name__ == "__main__":
    main()
