import numpy as np
import torch

VOCAB = 120
LENGTH = 18
GOOD = np.arange(1, 11)
BAD = np.arange(11, 21)


def make_reviews(n, seed):
    """A review is filler words with opinion words; the sign of the sum is the label."""
    rng = np.random.default_rng(seed)
    tokens = rng.integers(21, VOCAB, size=(n, LENGTH))
    labels = rng.integers(0, 2, size=n)
    for i in range(n):
        strong, weak = (GOOD, BAD) if labels[i] == 1 else (BAD, GOOD)
        spots = rng.choice(LENGTH, size=3, replace=False)
        tokens[i, spots[:2]] = rng.choice(strong, size=2)
        tokens[i, spots[2]] = rng.choice(weak)
    return torch.from_numpy(tokens), torch.from_numpy(labels).float()
