"""Drawings of shells."""

import numpy as np

PATTERNS = ["plain", "rings", "rays"]
SIDE = 12


def collect(count, seed):
    rng = np.random.RandomState(seed)
    rows, columns = np.mgrid[:SIDE, :SIDE] - (SIDE - 1) / 2
    radius, angle = np.hypot(rows, columns), np.arctan2(rows, columns)
    labels = rng.randint(len(PATTERNS), size=count)
    images = np.empty((count, SIDE, SIDE, 1), "float32")
    for image, label in zip(images, labels):
        turn = rng.uniform(0, 2 * np.pi)
        pattern = [np.zeros_like(radius), np.sin(1.6 * radius + turn), np.sin(5 * angle + turn)][label]
        image[..., 0] = 0.5 + 0.4 * pattern + rng.normal(0, 0.1, radius.shape)
    return images, labels
