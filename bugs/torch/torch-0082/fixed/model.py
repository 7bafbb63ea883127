"""A small recurrent network for commands."""

from torch import nn


class CommandNet(nn.Module):
    def __init__(self, bands=12, hidden=16, commands=4):
        super().__init__()
        self.rnn = nn.GRU(bands, hidden, batch_first=True)
        self.out = nn.Linear(hidden, commands)

    def forward(self, features):
        states, _ = self.rnn(features)
        return self.out(states.mean(dim=1))
