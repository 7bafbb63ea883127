"""Self-attention encoder over acoustic frames."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        assert dim % heads == 0
        self.heads, self.size = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def split(self, x):
        b, t, _ = x.shape
        return x.view(b, t, self.heads, self.size).transpose(1, 2)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (self.split(part) for part in self.qkv(x).chunk(3, dim=-1))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.size)
        mixed = F.softmax(scores, dim=-1) @ v
        mixed = mixed.transpose(1, 2).reshape(b, t, d)
        return self.proj(mixed)


class SpeakerNet(nn.Module):
    def __init__(self, n_mfcc, n_speakers, dim=32, heads=4):
        super().__init__()
        self.inp = nn.Linear(n_mfcc, dim)
        self.attn = SelfAttention(dim, heads)
        self.norm1 = nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, dim))
        self.norm2 = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, n_speakers)

    def forward(self, frames):
        h = self.inp(frames)
        h = self.norm1(h + self.attn(h))
        h = self.norm2(h + self.ff(h))
        return self.out(h.mean(dim=1))
