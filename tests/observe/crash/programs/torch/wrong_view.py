import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 6, 3)
        self.fc = nn.Linear(6 * 14 * 14, 2)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        x = x.view(-1, 6 * 16 * 16)
        return self.fc(x)


print(Net()(torch.rand(5, 3, 16, 16)).shape)
