import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        self.layer = nn.Linear(width, 2)

    def forward(self, x):
        return self.layer(x)


print(Net(3)(torch.rand(2, 3)).shape)
