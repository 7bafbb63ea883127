"""Aerial tiles with roofs on them. Images are bytes, masks are drawn from the outlines."""

import numpy as np
import tensorflow as tf

SIDE = 32


def draw_tile(rng):
    tile = rng.normal(90.0, 12.0, (SIDE, SIDE, 3))
    mask = np.zeros((SIDE, SIDE, 1))
    for _ in range(rng.integers(1, 4)):
        top, left = rng.integers(0, SIDE - 10, 2)
        height, width = rng.integers(5, 10, 2)
        mask[top : top + height, left : left + width] = 1.0
    tile = tile + mask * np.array([80.0, 20.0, 10.0])
    return np.clip(tile, 0, 255).astype("uint8"), mask


def tile_batches(count, seed, batch_size=16):
    """Pairs of tiles and masks, mirrored at random, in batches."""
    rng = np.random.default_rng(seed)
    tiles, masks = zip(*(draw_tile(rng) for _ in range(count)))
    pairs = tf.data.Dataset.from_tensor_slices((np.stack(tiles), np.stack(masks)))
    return pairs.map(mirror).shuffle(count, seed=seed).batch(batch_size)


def mirror(tile, mask):
    flip = tf.random.uniform(()) < 0.5
    return tf.where(flip, tile[:, ::-1], tile), tf.where(flip, mask[:, ::-1], mask)
