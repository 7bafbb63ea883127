"""Recordings of the forest: each has two to eight calls with loudness, pitch and bird."""

import numpy as np
import torch

MOST = 8
BIRDS = 3


def recordings(count, seed):
    """Calls (count, MOST, 5), which places are filled, and the bird of the loudest call."""
    rng = np.random.RandomState(seed)
    bird = rng.randint(BIRDS, size=(count, MOST))
    loudness = rng.uniform(-1, 1, size=(count, MOST))
    calls = np.concatenate([loudness[..., None], rng.normal(size=(count, MOST, 1)), np.eye(BIRDS)[bird]], axis=2)
    filled = np.arange(MOST)[None, :] < rng.randint(2, MOST + 1, size=(count, 1))
    calls[~filled] = 0
    loudest = np.where(filled, loudness, -np.inf).argmax(axis=1)
    answer = bird[np.arange(count), loudest]
    return torch.from_numpy(calls).float(), torch.from_numpy(filled.astype(np.uint8)), torch.from_numpy(answer)
