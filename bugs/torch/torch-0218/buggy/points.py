"""Noisy points of a plane, and the part of them that a process gets."""

import numpy as np
import torch


def measure(count, seed):
    rng = np.random.RandomState(seed)
    inputs = rng.normal(size=(count, 3)).astype("float32")
    targets = inputs @ [[1.0], [-2.0], [0.5]] + rng.normal(0, 0.05, (count, 1))
    return torch.from_numpy(inputs), torch.from_numpy(targets.astype("float32"))


def share(inputs, targets, rank, world_size, batch_size=8):
    """Whole batches, dealt out in turn."""
    batches = torch.arange(len(inputs)).split(batch_size)
    rows = torch.cat(batches[rank::world_size])
    return inputs[rows], targets[rows]
