"""A U-Net with two levels."""

import torch
from torch import nn


def double_conv(inputs, outputs):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1),
        nn.GroupNorm(4, outputs),
        nn.ReLU(inplace=True),
        nn.Conv2d(outputs, outputs, 3, padding=1),
        nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.inc = double_conv(1, width)
        self.down = double_conv(width, 2 * width)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ConvTranspose2d(2 * width, width, kernel_size=2, stride=2)
        self.merge = double_conv(2 * width, width)
        self.outc = nn.Conv2d(width, 1, kernel_size=1)

    def forward(self, x):
        top = self.inc(x)
        bottom = self.down(self.pool(top))
        return self.outc(self.merge(torch.cat([top, self.up(bottom)], dim=1)))
