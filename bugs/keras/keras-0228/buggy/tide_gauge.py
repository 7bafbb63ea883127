"""Water level of a harbour in decimetres: two tides of the moon and the sun, the wind, and noise."""

import numpy as np

WINDOW = 24


def water_level(hours, seed):
    rng = np.random.default_rng(seed)
    hour = np.arange(hours)
    moon = 2.6 * np.sin(2 * np.pi * hour / 12.42 + rng.uniform(0, 6))
    sun = 0.5 * np.sin(2 * np.pi * hour / 12.0 + rng.uniform(0, 6))
    return (moon + sun + rng.normal(0.0, 0.1, hours)).astype("float32")


def windows(level):
    """A day of levels, and the level of the next hour."""
    starts = range(len(level) - WINDOW)
    return np.stack([level[start : start + WINDOW] for start in starts])[..., None], level[WINDOW:, None]
