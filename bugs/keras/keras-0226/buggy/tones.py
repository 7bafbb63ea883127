"""Short sounds of three instruments."""

import numpy as np

from filterbank import WINDOW

PITCHES = (5.0, 11.0, 19.0)


def load(count, seed):
    rng = np.random.default_rng(seed)
    instrument = rng.integers(len(PITCHES), size=count)
    pitch = np.take(PITCHES, instrument) + rng.normal(0.0, 0.8, count)
    time = np.arange(WINDOW) / WINDOW
    sounds = np.sin(2 * np.pi * pitch[:, None] * time) + rng.normal(0.0, 0.3, (count, WINDOW))
    return sounds.astype("float32"), instrument
