"""An attention layer with rotary positions whose frequencies are trained with the other weights."""

import torch
from rotary_embedding_torch import RotaryEmbedding
from torch import nn


class RotaryAttention(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.to_query_key_value = nn.Linear(dim, dim * 3)
        self.rotary = RotaryEmbedding(dim=dim, learned_freq=True)

    def forward(self, x):
        query, key, value = self.to_query_key_value(x).chunk(3, dim=-1)
        query = self.rotary.rotate_queries_or_keys(query.unsqueeze(1)).squeeze(1)
        key = self.rotary.rotate_queries_or_keys(key.unsqueeze(1)).squeeze(1)
        weights = (query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5).softmax(dim=-1)
        return weights @ value


def train(steps=20):
    layer = RotaryAttention()
    optimizer = torch.optim.Adam(layer.parameters(), lr=1e-2)
    sequences = torch.randn(32, 12, 16)
    targets = sequences[:, :1].expand(-1, 12, -1)
    losses = []
    for _ in range(steps):
        loss = nn.functional.mse_loss(layer(sequences), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    losses = train()
    print(f"loss {losses[0]:.3f} -> {losses[-1]:.3f}")


if __name__ == "__main__":
    main()
