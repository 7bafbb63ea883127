"""Signals of a scale for parcels; the weight hides in a few of many noisy channels."""

import numpy as np

CHANNELS = 60


def load(count, seed):
    rng = np.random.default_rng(seed)
    signals = rng.normal(0.0, 1.0, (count, CHANNELS))
    weight = signals[:, :3].sum(axis=1, keepdims=True) + rng.normal(0.0, 0.8, (count, 1))
    return signals.astype("float32"), weight.astype("float32")
