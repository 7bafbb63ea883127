"""Segment bright cells in noisy microscopy tiles; the averaged weights are what gets deployed."""
import copy

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def make_tiles(n, seed, size=32):
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[0:size, 0:size]
    images = rng.normal(40, 9, (n, 1, size, size))
    masks = np.zeros((n, size, size), dtype=np.float32)
    for i in range(n):
        for _ in range(rng.integers(1, 4)):
            cy, cx = rng.uniform(4, size - 4, 2)
            r = rng.uniform(3, 6)
            cell = (yy - cy) ** 2 + (xx - cx) ** 2 < r * r
            masks[i][cell] = 1
        images[i, 0] += 12 * masks[i] + rng.normal(0, 3)
    return torch.from_numpy((images / 40).astype(np.float32)), torch.from_numpy(masks)


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU())


class SmallUNet(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.down1 = block(1, c)
        self.down2 = block(c, 2 * c)
        self.middle = block(2 * c, 2 * c)
        self.up = block(3 * c, c)
        self.out = nn.Conv2d(c, 1, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.middle(self.down2(F.max_pool2d(a, 2)))
        b = F.interpolate(b, scale_factor=2, mode="nearest")
        return self.out(self.up(torch.cat([a, b], dim=1))).squeeze(1)


class WeightAverage:
    """Exponential moving average of a model."""

    def __init__(self, model, decay=0.97):
        self.decay = decay
        self.model = copy.deepcopy(model).eval()
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for mine, theirs in zip(self.model.parameters(), model.parameters()):
            mine.lerp_(theirs, 1 - self.decay)


@torch.no_grad()
def dice(model, images, masks):
    model.eval()
    pred = (model(images) > 0).float()
    inter = (pred * masks).sum((1, 2))
    return ((2 * inter + 1) / (pred.sum((1, 2)) + masks.sum((1, 2)) + 1)).mean().item()


def main():
    torch.manual_seed(4)
    train_x, train_y = make_tiles(320, seed=0)
    val_x, val_y = make_tiles(80, seed=1)
    model = SmallUNet()
    average = WeightAverage(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(1, 11):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(train_x)).split(16):
            loss = F.binary_cross_entropy_with_logits(model(train_x[idx]), train_y[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            average.update(model)
            total += loss.item() * len(idx)
        print(f"epoch {epoch:2d} loss {total / len(train_x):.4f} "
              f"dice {dice(model, val_x, val_y):.3f} averaged {dice(average.model, val_x, val_y):.3f}")


if __name__ == "__main__":
    main()
