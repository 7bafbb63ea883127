import torch
from torch import nn


class MessageLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.message = nn.Sequential(nn.Linear(2 * dim, dim), nn.SiLU(), nn.Linear(dim, dim))
        self.update = nn.Sequential(nn.Linear(2 * dim, dim), nn.SiLU(), nn.Linear(dim, dim))

    def forward(self, h, edges):
        src, dst = edges
        msg = self.message(torch.cat([h[src], h[dst]], dim=1))
        agg = torch.zeros_like(h).index_add_(0, dst, msg)
        return h + self.update(torch.cat([h, agg], dim=1))


class EnergyNet(nn.Module):
    def __init__(self, n_types, dim=32, n_layers=2):
        super().__init__()
        self.embed = nn.Embedding(n_types, dim)
        self.layers = nn.ModuleList([MessageLayer(dim) for _ in range(n_layers)])
        self.readout = nn.Sequential(nn.Linear(dim, dim), nn.SiLU(), nn.Linear(dim, 1))

    def forward(self, types, edges, batch, n_graphs):
        h = self.embed(types)
        for layer in self.layers:
            h = layer(h, edges)
        per_atom = self.readout(h).squeeze(1)
        return torch.zeros(n_graphs).index_add_(0, batch, per_atom)
