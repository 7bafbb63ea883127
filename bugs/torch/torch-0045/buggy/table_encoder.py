"""Encodes rows of a table of card payments: every field becomes a token, a transformer mixes them."""

import torch
from torch import nn

FIELDS = (12, 8, 20, 5)  # merchant, weekday and hour group, amount group, country


class RowEncoder(nn.Module):
    """(rows, fields) of category numbers -> (rows, dim)."""

    def __init__(self, dim=16, heads=2, layers=1):
        super().__init__()
        self.embeddings = nn.ModuleList(nn.Embedding(size, dim) for size in FIELDS)
        layer = nn.TransformerEncoderLayer(dim, heads, dim_feedforward=4 * dim, dropout=0.0)
        self.transformer_encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.out = nn.Linear(dim * len(FIELDS), dim)

    def forward(self, rows):
        fields = [embed(rows[:, i]) for i, embed in enumerate(self.embeddings)]
        encoded = self.transformer_encoder(torch.stack(fields, dim=1))
        return self.out(encoded.flatten(1))


class FraudDetector(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.encoder = RowEncoder(dim)
        self.head = nn.Linear(dim, 1)

    def forward(self, rows):
        return self.head(torch.relu(self.encoder(rows))).squeeze(1)
