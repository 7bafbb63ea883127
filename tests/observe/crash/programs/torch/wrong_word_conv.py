import torch
from torch import nn


def block(channels, size):
    return nn.Sequential(nn.Conv2d(channels, 2 * channels, kernel=size, padding=1), nn.ReLU())


net = nn.Sequential(block(3, 3), block(6, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(12, 4))
print(net(torch.rand(2, 3, 16, 16)).shape)
