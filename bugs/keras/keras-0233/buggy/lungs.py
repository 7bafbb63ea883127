"""Artificial X-ray images with the outline of a lung as the mask."""

import numpy as np

SIZE = 20


def make_scans(count, seed):
    rng = np.random.default_rng(seed)
    row, column = np.mgrid[:SIZE, :SIZE]
    centre = rng.uniform(6, SIZE - 6, (2, count, 1, 1))
    radius = rng.uniform(3, 5, (count, 1, 1))
    masks = (row - centre[0]) ** 2 + (column - centre[1]) ** 2 < radius**2
    scans = 0.6 * masks + rng.normal(0.0, 0.1, masks.shape)
    return scans[..., None].astype("float32"), masks[..., None].astype("float32")
