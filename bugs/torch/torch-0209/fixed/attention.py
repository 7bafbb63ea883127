"""Attention over the calls of a recording."""

import torch
from torch import nn


class AttentionPool(nn.Module):
    """Weighted mean of the values of all filled places."""

    def __init__(self, features, size=24):
        super().__init__()
        self.key = nn.Sequential(nn.Linear(features, size), nn.Tanh(), nn.Linear(size, 1))
        self.value = nn.Linear(features, size)

    def forward(self, calls, filled):
        scores = self.key(calls).squeeze(-1)
        scores[~filled.bool()] = -1e9
        weights = torch.softmax(scores, dim=1)
        return (weights.unsqueeze(-1) * self.value(calls)).sum(dim=1)
