import torch
from torch import nn


class AttentivePooling(nn.Module):
    """Scores every word and returns the weighted average of the word vectors."""

    def __init__(self, dim):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, 1))

    def forward(self, h):                       # (batch, words, dim)
        weights = torch.softmax(self.score(h), dim=1)
        return (weights * h).sum(dim=1)


class ReviewNet(nn.Module):
    def __init__(self, vocab, dim=24):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.pool = AttentivePooling(dim)
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, 1)

    def forward(self, tokens):
        return self.out(self.norm(self.pool(self.embed(tokens)))).squeeze(-1)
