"""Toy protein families: members of a family share an ancestor, with mutations."""
import numpy as np
import torch

ALPHABET = "ACDEFGHIKLMNPQRSTVWY"
MASK = len(ALPHABET)
VOCAB_SIZE = len(ALPHABET) + 1
LENGTH = 32


def make_ancestors(n_families, rng):
    return [rng.integers(0, len(ALPHABET), size=LENGTH) for _ in range(n_families)]


def make_sequences(ancestors, n, rng, mutation=0.1):
    rows = np.zeros((n, LENGTH), dtype=np.int64)
    for i in range(n):
        row = ancestors[rng.integers(len(ancestors))]
        mutated = rng.random(LENGTH) < mutation
        row = np.where(mutated, rng.integers(0, len(ALPHABET), size=LENGTH), row)
        rows[i] = row
    return torch.from_numpy(rows)


def to_text(ids):
    return "".join(("#" if i == MASK else ALPHABET[i]) for i in ids.tolist())
