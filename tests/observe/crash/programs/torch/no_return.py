import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        out = torch.relu(self.layer(x))


prediction = Net()(torch.rand(3, 4))
print(prediction.shape)
