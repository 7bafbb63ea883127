import torch
from torch import nn

from graphs import N_KINDS


class Convolution(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, dim))

    def forward(self, h, edges):
        src, dst = edges
        total = torch.zeros_like(h).index_add(0, dst, h[src])
        degree = torch.zeros(len(h)).index_add(0, dst, torch.ones(len(dst)))
        mean = total / degree.clamp(min=1).unsqueeze(-1)
        return torch.relu(h + self.mlp(torch.cat([h, mean], dim=-1)))


class CompoundNet(nn.Module):
    def __init__(self, dim=32, layers=2):
        super().__init__()
        self.embed = nn.Embedding(N_KINDS, dim)
        self.layers = nn.ModuleList(Convolution(dim) for _ in range(layers))
        self.head = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, kinds, edges, owner, n_graphs):
        h = self.embed(kinds)
        for layer in self.layers:
            h = layer(h, edges)
        pooled = torch.zeros(n_graphs, h.size(1)).index_add(0, owner, h)
        size = torch.zeros(n_graphs).index_add(0, owner, torch.ones(len(owner)))
        return self.head(pooled / size.unsqueeze(-1)).squeeze(-1)
