"""Photographs of wafers: good ones have dust only, bad ones a scratch somewhere."""

import numpy as np

SIDE = 32


def load(count, seed):
    rng = np.random.default_rng(seed)
    bad = rng.integers(0, 2, count)
    photographs = rng.normal(0.0, 0.2, (count, SIDE, SIDE))
    for photograph, scratched in zip(photographs, bad):
        row, column = rng.integers(0, SIDE - 9, 2)
        steps = np.arange(9)
        if scratched:  # nine pixels in a slanting line
            photograph[row + steps, column + steps] += 0.9
        else:  # as many pixels of dust
            photograph[rng.integers(0, SIDE, 9), rng.integers(0, SIDE, 9)] += 0.9
    return photographs[..., None].astype("float32"), bad
