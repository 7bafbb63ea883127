"""Attention scores of a sequence that has the same vector everywhere: they may depend on the distance alone."""

import torch
from rotary_embedding_torch import RotaryEmbedding


def scores(vector, length):
    """The score of every query with every key, after rotation with decay."""
    rotary = RotaryEmbedding(dim=len(vector), use_xpos=True)
    rows = vector.expand(1, 1, length, -1)
    query, key = rotary.rotate_queries_and_keys(rows, rows)
    return (query @ key.transpose(-1, -2))[0, 0]


def main():
    torch.manual_seed(0)
    found = scores(torch.randn(32), 64)
    for distance in (0, 1, 8):
        print(distance, torch.diagonal(found, -distance)[:4].tolist())


if __name__ == "__main__":
    main()
