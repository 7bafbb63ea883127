"""Marks fields in satellite tiles with four spectral bands."""

import torch
from torch import nn


def make_tiles(count, seed, size=20):
    generator = torch.Generator().manual_seed(seed)
    masks = torch.zeros(count, 1, size, size)
    for mask in masks:
        top, left = torch.randint(0, size // 2, (2,), generator=generator).tolist()
        mask[0, top : top + size // 2, left : left + size // 2] = 1.0
    bands = torch.tensor([0.1, -0.2, 0.0, 0.8]).view(1, 4, 1, 1)
    return masks * bands + 0.3 * torch.randn(count, 4, size, size, generator=generator), masks


def build_model():
    return nn.Sequential(
        nn.Conv2d(4, 12, 3, padding=1), nn.ReLU(), nn.Conv2d(12, 12, 3, padding=1), nn.ReLU(), nn.Conv2d(12, 1, 1)
    )


def iou(logits, masks):
    found, wanted = logits > 0, masks > 0
    return ((found & wanted).sum() / (found | wanted).sum().clamp(min=1)).item()


def train_segmentation_model(epochs=4, batch_size=8, learning_rate=0.01):
    torch.manual_seed(42)
    tiles, masks = make_tiles(48, seed=0)
    val_tiles, val_masks = make_tiles(16, seed=1)
    model = build_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    lr_scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(
        optimizer, mode="min", factor=0.5, patience=5
    )
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        model.train()
        for rows in torch.randperm(len(tiles)).split(batch_size):
            loss = criterion(model(tiles[rows]), masks[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            logits = model(val_tiles)
        lr_scheduler.step(criterion(logits, val_masks))
        print(f"epoch {epoch + 1}: train loss {loss.item():.3f}  val IoU {iou(logits, val_masks):.3f}")


if __name__ == "__main__":
    train_segmentation_model()
