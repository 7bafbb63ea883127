"""Hourly water levels of a harbour."""

import numpy as np

PERIODS = [12.42, 12.0, 23.93, 25.82]


def levels(count, seed):
    rng = np.random.RandomState(seed)
    hours = np.arange(count) + rng.randint(1000)
    waves = [a * np.sin(2 * np.pi * hours / p) for a, p in zip([1.0, 0.4, 0.3, 0.2], PERIODS)]
    return (np.sum(waves, axis=0) + rng.normal(0.0, 0.03, count)).astype("float32")


def windows(count, seed, hours=16):
    """Windows of some hours and the level of the hour after each."""
    series = levels(count + hours, seed)
    parts = np.stack([series[start : start + hours] for start in range(count)])
    return parts[..., None], series[hours:, None]
