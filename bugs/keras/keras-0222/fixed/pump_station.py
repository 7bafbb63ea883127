"""Readings of a pump station: twelve sensors follow three causes, and every sensor has noise of its own."""

import numpy as np

SENSORS = 12
CAUSES = 3
NOISE = 0.3


def true_values(count, seed):
    """Flow, pressure and temperature of the water decide what a sensor without noise shows."""
    mixing = np.random.default_rng(77).normal(0.0, 1.0, (CAUSES, SENSORS))
    causes = np.random.default_rng(seed).uniform(-1.5, 1.5, (count, CAUSES))
    return 1.5 * np.tanh(causes @ mixing * 0.6).astype("float32")


def measure(values, seed):
    """What the sensors show."""
    noise = np.random.default_rng(seed).normal(0.0, NOISE, values.shape)
    return values + noise.astype("float32")
