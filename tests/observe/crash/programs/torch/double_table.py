import numpy as np
import torch
from torch import nn


def rotation(angle):
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


class Turned(nn.Module):
    def __init__(self, angle):
        super().__init__()
        self.register_buffer("turn", torch.from_numpy(rotation(angle)))
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        return self.layer(x @ self.turn)


print(Turned(0.3)(torch.rand(6, 2)))
