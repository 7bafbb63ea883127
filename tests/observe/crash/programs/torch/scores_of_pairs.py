import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))

    def forward(self, x):
        query, key, value = self.query(x), self.key(x), self.value(x)
        scores = torch.bmm(query, key) / math.sqrt(x.shape[-1])
        return torch.bmm(scores.softmax(-1), value)


print(Attention(16)(torch.rand(2, 7, 16)).shape)
