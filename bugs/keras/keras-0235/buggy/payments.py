"""Card payments, of which one in twenty-five is a fraud."""

import numpy as np

FEATURES = 6


def load(count, seed, frauds=0.04):
    rng = np.random.default_rng(seed)
    fraud = rng.random(count) < frauds
    payments = rng.normal(0.0, 1.0, (count, FEATURES))
    payments[fraud] += np.array([2.0, -1.5, 1.0, 0.0, 0.0, 1.5])
    return payments.astype("float32"), fraud[:, None].astype("float32")
