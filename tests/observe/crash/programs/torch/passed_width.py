import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.out = nn.Linear(width, classes)

    def forward(self, features):
        return self.out(features)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.LSTM(12, 40, batch_first=True, bidirectional=True)
        self.head = Head(40, 5)

    def forward(self, sequence):
        states, _ = self.encoder(sequence)
        return self.head(states[:, -1])


print(Model()(torch.rand(4, 7, 12)).shape)
