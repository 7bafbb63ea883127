"""Silhouettes of hands: a fist, a flat hand, two fingers."""

import numpy as np

ROWS, COLUMNS, CHANNELS = 24, 20, 1
GESTURES = ("fist", "flat", "two")


def _silhouette(gesture, rng):
    image = np.zeros((ROWS, COLUMNS), "float32")
    left = rng.integers(2, 8)
    image[14:22, left : left + 9] = 1.0
    fingers = {"fist": (), "flat": (0, 2, 4, 6, 8), "two": (2, 4)}[gesture]
    for finger in fingers:
        image[rng.integers(3, 6) : 14, left + finger] = 1.0
    return image


def load(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(len(GESTURES), size=count)
    images = np.stack([_silhouette(GESTURES[label], rng) for label in labels])
    images += rng.normal(0.0, 0.1, images.shape)
    return images.reshape(count, ROWS, COLUMNS, CHANNELS).astype("float32"), labels
