import torch
import torch.nn.functional as F
from torch import nn


class GCNEncoder(nn.Module):
    def __init__(self, words, hidden=48, out=24):
        super().__init__()
        self.first = nn.Linear(words, hidden)
        self.second = nn.Linear(hidden, out)

    def forward(self, x, adj):
        h = F.relu(adj @ self.first(x))
        h = F.dropout(h, 0.3, self.training)
        return adj @ self.second(h)


class LinkAutoencoder(nn.Module):
    """Predicts links from the inner products of node codes."""

    def __init__(self, words):
        super().__init__()
        self.encoder = GCNEncoder(words)
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, x, adj, left, right):
        z = self.encoder(x, adj)
        return (z[left] * z[right]).sum(1) + self.bias


class NodeClassifier(nn.Module):
    def __init__(self, words, classes):
        super().__init__()
        self.encoder = GCNEncoder(words)
        self.head = nn.Linear(24, classes)

    def forward(self, x, adj):
        return self.head(F.relu(self.encoder(x, adj)))
