import torch
from torch import nn


class SmallUNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(1, 4, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.bottom = nn.Conv2d(4, 4, 3, padding=1)
        self.up = nn.Upsample(scale_factor=2)
        self.last = nn.Conv2d(8, 1, 1)

    def forward(self, image):
        left = self.down(image)
        middle = self.bottom(self.pool(left))
        right = self.up(middle)
        return self.last(torch.cat([left, right], dim=1))


print(SmallUNet()(torch.rand(2, 1, 25, 25)).shape)
