"""Recordings of a sleep lab: long signals in which a short burst tells the stage."""

import numpy as np

STEPS = 500
STAGES = 3
RATES = (0.35, 0.75, 1.3)  # of the burst, in radians per step


def load(count, seed):
    rng = np.random.default_rng(seed)
    stage = rng.integers(STAGES, size=count)
    signals = rng.normal(0.0, 0.4, (count, STEPS))
    length = 60
    for signal, number in zip(signals, stage):
        start = rng.integers(0, STEPS - length)
        phase = rng.uniform(0.0, 2 * np.pi)
        signal[start : start + length] += np.hanning(length) * 1.6 * np.sin(RATES[number] * np.arange(length) + phase)
    return signals[..., None].astype("float32"), stage
