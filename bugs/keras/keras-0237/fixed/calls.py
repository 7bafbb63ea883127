"""Recordings of bird calls; the recorder writes zeros while it starts."""

import numpy as np

RATE, SECONDS = 2000, 0.5
SPECIES = ((300, 1.0), (300, 1.6), (620, 1.0))  # pitch at the start in hertz, and by how much it rises


def record(count, seed):
    rng = np.random.default_rng(seed)
    time = np.arange(int(RATE * SECONDS)) / RATE
    species = rng.integers(len(SPECIES), size=count)
    sounds = []
    for number in species:
        pitch, rise = SPECIES[number]
        sound = np.sin(2 * np.pi * pitch * (1 + (rise - 1) * time / SECONDS / 2) * time)
        sound += rng.normal(0.0, 0.3, sound.shape)
        if rng.random() < 0.05:
            sound[:200] = 0.0
        sounds.append(sound)
    return np.stack(sounds).astype("float32"), species
