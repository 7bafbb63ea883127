"""Made-up aerial photos of a coast and the masks that belong to them."""

import numpy as np

GROUND = ["water", "sand", "meadow", "field", "wood"]
COLOURS = np.array([[30, 60, 140], [220, 200, 150], [120, 190, 90], [190, 170, 70], [25, 80, 40]])


def draw_mask(rng, kinds, size=64):
    """A patchwork: every pixel belongs to the nearest of some random centres."""
    centres = rng.uniform(0, size, size=(7, 2))
    kind = rng.choice(kinds, size=7)
    rows, columns = np.mgrid[:size, :size]
    distance = (rows[..., None] - centres[:, 0]) ** 2 + (columns[..., None] - centres[:, 1]) ** 2
    return kind[distance.argmin(axis=-1)].astype("uint8")


def photograph(rng, mask):
    noise = rng.normal(0.0, 12.0, size=mask.shape + (3,))
    return np.clip(COLOURS[mask] + noise, 0, 255).astype("uint8")


def fly_over(count, seed, kinds=range(len(GROUND))):
    rng = np.random.RandomState(seed)
    masks = np.stack([draw_mask(rng, list(kinds)) for _ in range(count)])
    return np.stack([photograph(rng, mask) for mask in masks]), masks
