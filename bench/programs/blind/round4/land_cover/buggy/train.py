"""Segment small multispectral tiles into land cover classes with a tiny U-Net."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    classes: int = 4
    bands: int = 4
    size: int = 32
    epochs: int = 12
    batch_size: int = 16
    lr: float = 5e-3
    decay_every: int = 4
    decay: float = 0.3
    seed: int = 5


SIGNATURES = np.array([[0.2, 0.3, 0.2, 0.6],   # forest
                       [0.3, 0.3, 0.3, 0.5],   # field
                       [0.2, 0.3, 0.3, 0.4],   # water
                       [0.3, 0.2, 0.3, 0.5]])  # town


def make_tiles(n, cfg, rng):
    yy, xx = np.mgrid[:cfg.size, :cfg.size]
    masks = np.zeros((n, cfg.size, cfg.size), dtype=np.int64)
    for i in range(n):
        masks[i] = rng.integers(cfg.classes)
        for _ in range(5):
            cy, cx = rng.uniform(0, cfg.size, 2)
            ry, rx = rng.uniform(4, 11, 2)
            masks[i][((yy - cy) / ry) ** 2 + ((xx - cx) / rx) ** 2 < 1] = rng.integers(cfg.classes)
    images = SIGNATURES[masks] + rng.normal(0, 0.12, size=masks.shape + (cfg.bands,))
    images = (images - 0.32) / 0.17
    return torch.tensor(images, dtype=torch.float32).permute(0, 3, 1, 2).contiguous(), torch.from_numpy(masks)


def conv(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(),
                         nn.Conv2d(cout, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU())


class TinyUNet(nn.Module):
    def __init__(self, cfg, width=12):
        super().__init__()
        self.enc1 = conv(cfg.bands, width)
        self.enc2 = conv(width, 2 * width)
        self.mid = conv(2 * width, 4 * width)
        self.up2 = nn.ConvTranspose2d(4 * width, 2 * width, 2, stride=2)
        self.dec2 = conv(4 * width, 2 * width)
        self.up1 = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.dec1 = conv(2 * width, width)
        self.head = nn.Conv2d(width, cfg.classes, 1)
        self.pool = nn.MaxPool2d(2)

    def forward(self, x):
        a = self.enc1(x)
        b = self.enc2(self.pool(a))
        m = self.mid(self.pool(b))
        b = self.dec2(torch.cat([self.up2(m), b], dim=1))
        a = self.dec1(torch.cat([self.up1(b), a], dim=1))
        return self.head(a)


@torch.no_grad()
def mean_iou(model, loader, classes):
    model.eval()
    inter, union = torch.zeros(classes), torch.zeros(classes)
    for x, y in loader:
        pred = model(x).argmax(dim=1)
        for c in range(classes):
            inter[c] += ((pred == c) & (y == c)).sum()
            union[c] += ((pred == c) | (y == c)).sum()
    return (inter / union.clamp(min=1)).mean().item()


def main(cfg):
    torch.manual_seed(cfg.seed)
    rng = np.random.default_rng(cfg.seed)
    train_loader = DataLoader(TensorDataset(*make_tiles(320, cfg, rng)), batch_size=cfg.batch_size, shuffle=True)
    val_loader = DataLoader(TensorDataset(*make_tiles(80, cfg, rng)), batch_size=40)

    model = TinyUNet(cfg)
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=cfg.decay_every, gamma=cfg.decay)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(cfg.epochs):
        model.train()
        total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            total += loss.item()
        print(f"epoch {epoch + 1:2d}  loss {total / len(train_loader):.3f}  "
              f"val mIoU {mean_iou(model, val_loader, cfg.classes):.3f}")


if __name__ == "__main__":
    main(Config())
