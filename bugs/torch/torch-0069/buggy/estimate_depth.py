"""Estimates how far the nearest point is, from the image and the camera."""

import torch
from torch import nn
from torch.utils.data import DataLoader

from cameras import HEIGHT, WIDTH, RigDataset


def hit_rate(dataset):
    """Share of points whose pixel in the image is bright."""
    hits = total = 0
    for index in range(len(dataset)):
        image, camera, points = dataset[index]
        seen = points @ camera.T
        pixels = torch.floor(seen[:, :2] / seen[:, 2:]).long()
        for column, row in pixels.tolist():
            if 0 <= column < WIDTH and 0 <= row < HEIGHT:
                total += 1
                hits += bool(image[row, column] > 0)
    return hits / total


def train(epochs=2):
    torch.manual_seed(0)
    loader = DataLoader(RigDataset(64), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(WIDTH * HEIGHT + 1, 32), nn.ReLU(), nn.Linear(32, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for images, cameras, points in loader:
            inputs = torch.cat([images.flatten(1), cameras[:, 0, 2:] / WIDTH], dim=1)
            loss = nn.functional.l1_loss(model(inputs).squeeze(1), points[:, :, 2].amin(dim=1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    train()
    for share in (0.0, 0.5, 1.0):
        print(f"mirrored {share:.1f}: {hit_rate(RigDataset(flip_image_prob=share)):.2f} of the points on a bright pixel")
