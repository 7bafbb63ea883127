import torch
from torch import nn
from torch.nn import functional as F


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Conv2d(3, 6, 3, padding=1)
        self.grow = nn.ConvTranspose2d(6, 6, 2, stride=2)

    def forward(self, x):
        skip = self.encode(x)
        deep = F.max_pool2d(skip, 2)
        wide = self.grow(deep)
        return torch.cat((wide, skip), dim=1)


print(Decoder()(torch.rand(1, 3, 15, 15)).shape)
