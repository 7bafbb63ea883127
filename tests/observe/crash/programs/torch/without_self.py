import torch
from torch import nn


class Doubler(nn.Module):
    def forward(x):
        return 2 * x


print(Doubler()(torch.ones(3)))
