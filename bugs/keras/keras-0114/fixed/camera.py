"""Photographs of parcels on a belt, one byte per pixel."""

import numpy as np

SIDE = 16
WRAPPINGS = ("plain", "dark spots", "bright spots")


def photograph(wrapping, rng):
    light = rng.uniform(90.0, 160.0)
    image = rng.normal(light, 6.0, (SIDE, SIDE))
    spots = rng.random((SIDE, SIDE)) < 0.12
    if wrapping == 1:
        image = image - 18.0 * spots
    elif wrapping == 2:
        image = image + 18.0 * spots
    return np.clip(image, 0, 255)


def photograph_parcels(count, seed):
    rng = np.random.default_rng(seed)
    wrappings = rng.integers(0, len(WRAPPINGS), count)
    images = np.stack([photograph(wrapping, rng) for wrapping in wrappings])
    return images[..., None].astype("uint8"), wrappings
