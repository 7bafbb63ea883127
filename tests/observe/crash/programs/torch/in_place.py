import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 6)
        self.second = nn.Linear(6, 2)

    def forward(self, x):
        hidden = torch.sigmoid(self.first(x))
        shift = hidden.mean(dim=1, keepdim=True)
        hidden += shift
        return self.second(hidden)


gate = Gate()
out = gate(torch.rand(5, 6))
out.pow(2).mean().backward()
