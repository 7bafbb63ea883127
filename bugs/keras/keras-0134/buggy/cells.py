"""Microscope pictures of dense cell cultures with masks."""

import numpy as np

SIDE = 48


def make_cultures(count, seed):
    """Bright cells on a dark ground; the mask is 1 where a cell is."""
    rng = np.random.default_rng(seed)
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    centre = rng.uniform(0, SIDE, (count, 9, 2))
    radius = rng.uniform(6, 10, (count, 9))
    distance = np.hypot(rows - centre[..., 0, None, None], columns - centre[..., 1, None, None])
    mask = (distance < radius[..., None, None]).any(axis=1)
    picture = 0.8 * mask - 0.4 + rng.normal(0.0, 0.1, mask.shape)
    return picture[..., None].astype("float32"), mask[..., None].astype("float32")
