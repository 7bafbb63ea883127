import torch
from torch import nn


class ConvGRUCell(nn.Module):
    """A gated recurrent unit whose state is a stack of maps."""

    def __init__(self, channels, hidden, kernel):
        super().__init__()
        self.hidden = hidden
        self.gates = nn.Conv2d(channels + hidden, 2 * hidden, kernel, padding=kernel // 2)
        self.candidate = nn.Conv2d(channels + hidden, hidden, kernel, padding=kernel // 2)

    def forward(self, image, state):
        update, reset = torch.sigmoid(self.gates(torch.cat([image, state], dim=1))).chunk(2, dim=1)
        candidate = torch.tanh(self.candidate(torch.cat([image, reset * state], dim=1)))
        return (1 - update) * state + update * candidate
