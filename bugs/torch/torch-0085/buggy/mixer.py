"""A mixer of time steps and substations."""

from torch import nn


class MixerBlock(nn.Module):
    def __init__(self, history, substations, hidden=32):
        super().__init__()
        self.norm = nn.LayerNorm(substations)
        self.over_time = nn.Sequential(nn.Linear(history, hidden), nn.ReLU(), nn.Linear(hidden, history))
        self.over_substations = nn.Sequential(nn.Linear(substations, hidden), nn.ReLU(), nn.Linear(hidden, substations))

    def forward(self, x):
        x = x + self.over_time(self.norm(x).transpose(1, 2)).transpose(1, 2)
        return x + self.over_substations(x)


class Mixer(nn.Module):
    def __init__(self, history=48, horizon=12, substations=5, blocks=2):
        super().__init__()
        self.blocks = nn.Sequential(*[MixerBlock(history, substations) for _ in range(blocks)])
        self.head = nn.Linear(history, horizon)

    def forward(self, x):
        return self.head(self.blocks(x).transpose(1, 2)).transpose(1, 2)
