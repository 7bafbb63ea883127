"""Micrographs of round cells on a noisy background."""

import numpy as np

SIDE = 24


def draw(rng):
    rows, columns = np.mgrid[:SIDE, :SIDE]
    mask = np.zeros((SIDE, SIDE), bool)
    for _ in range(rng.integers(1, 4)):
        y, x = rng.uniform(4, SIDE - 4, 2)
        mask |= (rows - y) ** 2 + (columns - x) ** 2 < rng.uniform(3, 5) ** 2
    light = rng.uniform(0.2, 0.4)
    image = light + 0.4 * mask + rng.normal(0.0, 0.12, mask.shape)
    return image, mask


def make_micrographs(count, seed):
    rng = np.random.default_rng(seed)
    images, masks = zip(*(draw(rng) for _ in range(count)))
    return np.stack(images)[..., None].astype("float32"), np.stack(masks)[..., None].astype("float32")
