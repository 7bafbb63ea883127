"""Sounds of three engines at changing speed."""

import numpy as np

NAMES = np.array(["diesel", "petrol", "electric"])
LENGTH, RATE = 250, 1000.0
HARMONICS = {"diesel": [1.0, 0.2, 0.8], "petrol": [0.3, 1.0, 0.2], "electric": [0.1, 0.1, 0.1]}


def record(count, seed):
    rng = np.random.RandomState(seed)
    names = rng.choice(NAMES, count)
    time = np.arange(LENGTH) / RATE
    waves = np.empty((count, LENGTH), "float32")
    for row, name in enumerate(names):
        pitch = rng.uniform(40, 60)
        phases = rng.uniform(0, 2 * np.pi, 3)
        tones = [h * np.sin(2 * np.pi * pitch * (k + 1) * time + phases[k]) for k, h in enumerate(HARMONICS[name])]
        waves[row] = np.sum(tones, axis=0) + rng.normal(0, 0.3, LENGTH)
    return waves, names
