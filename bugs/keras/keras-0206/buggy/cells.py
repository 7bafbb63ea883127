"""Drawn cells under a microscope, with the mask of each."""

import numpy as np

SIDE = 16


def draw_cells(count, seed):
    rng = np.random.RandomState(seed)
    row, column = np.mgrid[0:SIDE, 0:SIDE]
    masks = np.zeros((count, SIDE, SIDE, 1), "float32")
    for mask in masks:
        y, x = rng.uniform(4, 12, size=2)
        a, b = rng.uniform(2, 4, size=2)
        mask[..., 0] = ((row - y) / a) ** 2 + ((column - x) / b) ** 2 < 1
    images = 0.5 * masks + rng.uniform(0, 0.5, masks.shape)
    return images.astype("float32"), masks
