"""Recorded gestures: 24 samples of three accelerations each."""

import numpy as np

GESTURES = ["circle", "shake", "tilt", "push"]
SAMPLES = 24


def record(count, seed):
    rng = np.random.RandomState(seed)
    kind = rng.randint(len(GESTURES), size=count)
    t = np.linspace(0, 2 * np.pi, SAMPLES)[None, :] + rng.uniform(-0.3, 0.3, (count, 1))
    shapes = np.stack([
        np.stack([np.sin(t), np.cos(t), 0 * t], -1),
        np.stack([np.sin(4 * t), 0 * t, 0 * t], -1),
        np.stack([0 * t, np.tanh(t - 3), 0 * t], -1),
        np.stack([0 * t, 0 * t, np.exp(-(t - 3) ** 2)], -1),
    ])
    clean = shapes[kind, np.arange(count)]
    return (clean + rng.normal(0, 0.3, clean.shape)).astype(np.float32), kind.astype(np.int32)
