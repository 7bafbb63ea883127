import torch
import torch.nn.functional as F
from torch import nn


def double_conv(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(),
        nn.Conv2d(cout, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(),
    )


class Up(nn.Module):
    def __init__(self, cin, cskip, cout):
        super().__init__()
        self.conv = double_conv(cin + cskip, cout)

    def forward(self, x, skip):
        x = F.interpolate(x, size=skip.shape[-2:], mode="bilinear", align_corners=False)
        return self.conv(torch.cat([skip, x], dim=1))


class UNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.enc1 = double_conv(1, width)
        self.enc2 = double_conv(width, width * 2)
        self.bottom = double_conv(width * 2, width * 4)
        self.up2 = Up(width * 4, width * 2, width * 2)
        self.up1 = Up(width * 2, width, width)
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        s1 = self.enc1(x)
        s2 = self.enc2(F.max_pool2d(s1, 2))
        b = self.bottom(F.max_pool2d(s2, 2))
        return self.head(self.up1(self.up2(b, s2), s1))
