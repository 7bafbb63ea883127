"""Route support tickets to a team with a small transformer encoder."""
import math

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

VOCAB, SEQ_LEN, TEAMS, PAD = 200, 24, 5, 0


def make_tickets(n, rng):
    """Every team has some words of its own, mixed with words used by all."""
    ids = np.zeros((n, SEQ_LEN), dtype=np.int64)
    teams = rng.integers(0, TEAMS, size=n)
    for i, team in enumerate(teams):
        length = rng.integers(10, SEQ_LEN + 1)
        words = rng.integers(101, VOCAB, size=length)
        own = rng.random(length) < 0.2
        words[own] = 1 + team * 20 + rng.integers(0, 20, size=own.sum())
        stray = rng.random(length) < 0.08
        words[stray] = rng.integers(1, 101, size=stray.sum())
        ids[i, :length] = words
    return torch.from_numpy(ids), torch.from_numpy(teams)


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.head_dim = dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x, pad_mask):
        b, t, d = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(b, t, self.heads, self.head_dim).transpose(1, 2)
        k = k.view(b, t, self.heads, self.head_dim).transpose(1, 2)
        v = v.view(b, t, self.heads, self.head_dim).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        scores = scores.masked_fill(pad_mask[:, None, None, :], float("-inf"))
        mixed = scores.softmax(dim=-1) @ v
        mixed = mixed.transpose(1, 2).reshape(b, t, d)
        return self.out(mixed)


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = SelfAttention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Dropout(0.1), nn.Linear(2 * dim, dim))

    def forward(self, x, pad_mask):
        x = x + self.attn(self.norm1(x), pad_mask)
        return x + self.mlp(self.norm2(x))


class TicketRouter(nn.Module):
    def __init__(self, dim=48, heads=4, depth=2):
        super().__init__()
        self.tokens = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.positions = nn.Parameter(torch.randn(SEQ_LEN, dim) * 0.02)
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, TEAMS)

    def forward(self, ids):
        pad_mask = ids == PAD
        x = self.tokens(ids) + self.positions
        for block in self.blocks:
            x = block(x, pad_mask)
        keep = (~pad_mask).unsqueeze(-1).float()
        pooled = (self.norm(x) * keep).sum(dim=1) / keep.sum(dim=1)
        return self.head(pooled)


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = sum((model(ids).argmax(dim=1) == team).sum().item() for ids, team in loader)
    return hits / len(loader.dataset)


torch.manual_seed(0)
rng = np.random.default_rng(0)
train_loader = DataLoader(TensorDataset(*make_tickets(3000, rng)), batch_size=64, shuffle=True)
val_loader = DataLoader(TensorDataset(*make_tickets(600, rng)), batch_size=200)

model = TicketRouter()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
criterion = nn.CrossEntropyLoss()

for epoch in range(6):
    model.train()
    total = 0.0
    for ids, team in train_loader:
        loss = criterion(model(ids), team)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: loss {total / len(train_loader):.3f}, val acc {accuracy(model, val_loader):.3f}")
