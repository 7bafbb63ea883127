import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 6, batch_first=True)
        self.out = nn.Linear(6, 2)

    def forward(self, x):
        states = self.lstm(x)
        last = states.mean(dim=1)
        return self.out(last)


print(Reader()(torch.rand(3, 5, 4)).shape)
