"""Aerial images of fields with a mask of what grows where: 0 nothing, 1 maize, 2 wheat, 3 forest."""

import numpy as np

CLASSES = ("nothing", "maize", "wheat", "forest")
COLOURS = np.array([[0.5, 0.4, 0.3], [0.4, 0.6, 0.2], [0.8, 0.7, 0.3], [0.1, 0.3, 0.1]])


def load(count, seed, rows=45, columns=60):
    """Images of the size that the plane delivers."""
    rng = np.random.default_rng(seed)
    masks = np.zeros((count, rows, columns, 1), "int32")
    for mask in masks:
        for _ in range(4):
            top, left = rng.integers(0, rows - 15), rng.integers(0, columns - 20)
            mask[top : top + rng.integers(8, 15), left : left + rng.integers(10, 20)] = rng.choice([1, 3])
    images = COLOURS[masks[..., 0]] + rng.normal(0.0, 0.05, (count, rows, columns, 3))
    return images.astype("float32"), masks
