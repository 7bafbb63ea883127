"""U-Net for road masks."""

import torch
import torch.nn.functional as F
from torch import nn


class ConvBlock(nn.Sequential):
    def __init__(self, in_ch, out_ch):
        super().__init__(
            nn.Conv2d(in_ch, out_ch, 3, padding=1, bias=False),
            nn.BatchNorm2d(out_ch),
            nn.ReLU(inplace=True),
            nn.Conv2d(out_ch, out_ch, 3, padding=1, bias=False),
            nn.BatchNorm2d(out_ch),
            nn.ReLU(inplace=True),
        )


class UpBlock(nn.Module):
    def __init__(self, in_ch, out_ch):
        super().__init__()
        self.up = nn.ConvTranspose2d(in_ch, out_ch, kernel_size=2, stride=2)
        self.conv = ConvBlock(2 * out_ch, out_ch)

    def forward(self, below, skip):
        below = self.up(below)
        below = F.pad(below, (0, skip.shape[3] - below.shape[3], 0, skip.shape[2] - below.shape[2]))
        return self.conv(torch.cat((skip, below), dim=1))


class RoadUNet(nn.Module):
    def __init__(self, in_ch=3, base=8):
        super().__init__()
        self.enc1 = ConvBlock(in_ch, base)
        self.enc2 = ConvBlock(base, 2 * base)
        self.enc3 = ConvBlock(2 * base, 4 * base)
        self.up2 = UpBlock(4 * base, 2 * base)
        self.up1 = UpBlock(2 * base, base)
        self.head = nn.Conv2d(base, 1, kernel_size=1)

    def forward(self, x):
        e1 = self.enc1(x)
        e2 = self.enc2(F.max_pool2d(e1, 2))
        e3 = self.enc3(F.max_pool2d(e2, 2))
        return self.head(self.up1(self.up2(e3, e2), e1))
