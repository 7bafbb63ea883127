"""Tells road surfaces apart with a small mobile network."""

import torch
from torch import nn

from blocks import Hardswish, Squeeze, conv_block
from surfaces import surfaces


class SurfaceNet(nn.Module):

    def __init__(self, width=12):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, width, 3, stride=2, padding=1),
            conv_block(width, width),
            Squeeze(width),
            conv_block(width, 2 * width, stride=2, activation=Hardswish),
        )
        self.head = nn.Linear(2 * width, 3)

    def forward(self, x):
        return self.head(self.features(x).mean(dim=(2, 3)))


def train(steps=60):
    torch.manual_seed(0)
    model = SurfaceNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(steps):
        images, kind = surfaces(32, seed=step)
        loss = nn.functional.cross_entropy(model(images), kind)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    images, kind = surfaces(200, seed=12345)
    model.eval()
    with torch.no_grad():
        right = (model(images).argmax(1) == kind).float().mean().item()
    print("accuracy %.2f" % right)


if __name__ == "__main__":
    train()
