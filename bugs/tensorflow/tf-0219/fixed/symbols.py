"""Drawings of three symbols on a grid of 12 x 12 pixels."""

import numpy as np

SIZE = 12


def symbol(kind):
    shape = np.zeros((5, 5), "float32")
    if kind == 0:
        shape[2, :] = shape[:, 2] = 1.0
    elif kind == 1:
        np.fill_diagonal(shape, 1.0)
        np.fill_diagonal(shape[::-1], 1.0)
    else:
        shape[0, :] = shape[-1, :] = shape[:, 0] = shape[:, -1] = 1.0
    return shape


def draw(count, seed, wander):
    """``count`` images; each symbol is up to ``wander`` pixels off the centre."""
    rng = np.random.RandomState(seed)
    kinds = rng.randint(3, size=count)
    images = rng.normal(0.0, 0.15, (count, SIZE, SIZE, 1)).astype("float32")
    for image, kind in zip(images, kinds):
        top, left = 3 + rng.randint(-wander, wander + 1, size=2)
        image[top:top + 5, left:left + 5, 0] += symbol(kind)
    return images, kinds.astype("int64")
