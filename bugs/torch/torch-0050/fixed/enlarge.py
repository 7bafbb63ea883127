"""Doubles the resolution of small images with a sub-pixel convolution."""

import argparse
import math

import torch
import torch.nn.functional as F
from torch import nn


def draw(count, generator, size=16):
    """Images of stripes in random directions, sharp and at half the resolution."""
    y, x = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    angle = math.pi * torch.rand(count, 1, 1, generator=generator)
    wave = 0.5 + torch.rand(count, 1, 1, generator=generator)
    sharp = torch.sin(wave * (x * torch.cos(angle) + y * torch.sin(angle))).unsqueeze(1)
    return F.avg_pool2d(sharp, 2), sharp


class SubPixelNet(nn.Module):
    def __init__(self, channels=16, factor=2):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, channels, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(channels, factor**2, 3, padding=1),
        )
        self.shuffle = nn.PixelShuffle(factor)

    def forward(self, coarse):
        base = F.interpolate(coarse, scale_factor=2, mode="bilinear", align_corners=False)
        return base + self.shuffle(self.body(coarse))


def psnr(predicted, sharp):
    return 10 * math.log10(4 / F.mse_loss(predicted, sharp).item())


def train(model, coarse, sharp, epochs=12, batch_size=16, lr=5e-3):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=epochs // 2, gamma=0.1)
    for epoch in range(epochs):
        for rows in torch.randperm(len(sharp)).split(batch_size):
            loss = F.mse_loss(model(coarse[rows]), sharp[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
        if epoch % 3 == 2:
            print(f"[{epoch + 1}/{epochs}] loss {loss.item():.5f}")


def main(seed=0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = SubPixelNet()
    train(model, *draw(256, generator))
    coarse, sharp = draw(64, generator)
    with torch.no_grad():
        gain = psnr(model(coarse), sharp) - psnr(F.interpolate(coarse, scale_factor=2, mode="bilinear"), sharp)
    print(f"gain over bilinear: {gain:.2f} dB")
    return gain


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    main(parser.parse_args().seed)
