"""Traffic signs: a disc, a triangle or a square on a grey background."""

import numpy as np


def signs(count, seed):
    rng = np.random.RandomState(seed)
    kind = rng.randint(3, size=count)
    row, column = np.mgrid[0:12, 0:12] - 5.5
    shapes = np.stack([row ** 2 + column ** 2 < 20, np.abs(column) < (row + 5) / 2.0, np.maximum(abs(row), abs(column)) < 4.5])
    images = rng.uniform(0.3, 0.5, size=(count, 12, 12)) + 0.5 * shapes[kind]
    return images.reshape(count, 144), kind
