"""Encoder of a detector: image features with 2-D positions through one attention layer."""

import torch
from torch import nn


def sincos_2d(height, width, dim, temperature=10000.0):
    rows, columns = torch.meshgrid(torch.arange(height).float(), torch.arange(width).float(), indexing="ij")
    rate = 1.0 / temperature ** (torch.arange(dim // 4).float() / (dim // 4))
    parts = [grid.flatten()[:, None] * rate for grid in (rows, columns)]
    return torch.cat([wave(part) for part in parts for wave in (torch.sin, torch.cos)], dim=1).unsqueeze(0)


class HybridEncoder(nn.Module):
    def __init__(self, dim=32, size=(6, 6)):
        super().__init__()
        self.stem = nn.Conv2d(3, dim, kernel_size=4, stride=4)
        self.query = nn.Linear(dim, dim)
        self.key = nn.Linear(dim, dim)
        self.value = nn.Linear(dim, dim)
        self.norm = nn.LayerNorm(dim)
        self.register_buffer("pos_embed", sincos_2d(*size, dim), persistent=False)

    def forward(self, images):
        src = self.stem(images).flatten(2).transpose(1, 2)
        placed = src + self.pos_embed.to(src.device)
        query, key = self.query(placed), self.key(placed)
        weights = (query @ key.transpose(1, 2) / query.shape[-1] ** 0.5).softmax(dim=-1)
        return self.norm(src + weights @ self.value(src))
