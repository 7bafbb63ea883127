import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 4)
        self.output = nn.Linear(4, 1)

    def forward(self, x):
        return self.output(torch.relu(self.hiden(x)))


print(Net()(torch.rand(2, 4)).shape)
