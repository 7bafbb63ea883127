"""Simulated blood values with a diagnosis that they explain only in part."""

import numpy as np

VALUES = 20


def examine(count, seed):
    rng = np.random.RandomState(seed)
    values = rng.normal(size=(count, VALUES)).astype("float32")
    risk = 0.8 * values[:, 0] - 0.6 * values[:, 1] + rng.normal(0.0, 1.2, count)
    return values, (risk > 0).astype("float32")
