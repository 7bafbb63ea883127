"""Cells under a microscope: three kinds, each anywhere in the picture and turned in any way."""

import numpy as np

SIZE = 24
KINDS = ("ring", "rod", "cross")


def _pixels(kind, angle):
    t = np.linspace(-1.0, 1.0, 15)
    if kind == "ring":
        x, y = 3.0 * np.cos(np.pi * t), 3.0 * np.sin(np.pi * t)
    elif kind == "rod":
        x, y = 4.5 * t, 0.0 * t
    else:
        x, y = np.concatenate([3.0 * t, 0.0 * t]), np.concatenate([0.0 * t, 3.0 * t])
    return x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)


def draw(kind, rng):
    image = rng.normal(0.0, 0.15, (SIZE, SIZE))
    x, y = _pixels(kind, rng.uniform(0.0, np.pi))
    column, row = rng.uniform(5.5, SIZE - 6.5, 2)
    image[np.rint(row + y).astype(int), np.rint(column + x).astype(int)] += rng.uniform(0.7, 1.1)
    return image[..., None].astype("float32")


def load(count, seed):
    rng = np.random.default_rng(seed)
    kinds = rng.integers(len(KINDS), size=count)
    return np.stack([draw(KINDS[kind], rng) for kind in kinds]), kinds
