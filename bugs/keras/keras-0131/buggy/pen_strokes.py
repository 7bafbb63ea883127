"""Strokes of a digitiser pen and a simulator that draws them too clean."""

import numpy as np

POINTS = 16


def real_strokes(count, seed):
    """Recorded strokes: a bow with pressure noise and the drift of the tablet."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 1.0, POINTS)
    bow = rng.uniform(0.4, 0.9, (count, 1)) * np.sin(np.pi * t)
    drift = 0.5 + 0.4 * t
    return (bow + drift + rng.normal(0.0, 0.08, (count, POINTS))).astype("float32")


def simulated_strokes(count, seed):
    """The same bows without drift and noise."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 1.0, POINTS)
    return (rng.uniform(0.4, 0.9, (count, 1)) * np.sin(np.pi * t)).astype("float32")
