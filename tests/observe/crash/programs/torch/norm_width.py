import torch
from torch import nn


def block(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(inputs), nn.ReLU())


net = nn.Sequential(block(3, 8), block(8, 16))
print(net(torch.rand(2, 3, 10, 10)).shape)
