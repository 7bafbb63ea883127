"""The data: points on a ring of eight clusters."""

import numpy as np


def sample(count, seed):
    rng = np.random.default_rng(seed)
    angle = 2 * np.pi * rng.integers(8, size=count) / 8
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return (points + rng.normal(0.0, 0.05, points.shape)).astype("float32")
