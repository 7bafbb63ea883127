import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 1)

    def foward(self, x):
        return self.layer(x)


print(Net()(torch.rand(2, 3)))
