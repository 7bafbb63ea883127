"""Accelerations of a phone, one line per window: three numbers for each of ten steps, then the activity."""

import numpy as np

ACTIVITIES = ["walk", "jog", "sit", "stand", "up", "down"]
STEPS, CHANNELS = 10, 3


def write(path, count=300, seed=0):
    rng = np.random.RandomState(seed)
    activity = rng.randint(len(ACTIVITIES), size=count)
    phase = np.linspace(0, 2 * np.pi, STEPS)[None, :, None]
    speed = np.array([1.0, 2.0, 0.0, 0.1, 1.2, 1.4])[activity][:, None, None]
    level = np.array([0.0, 0.3, -1.0, 0.8, 0.5, -0.5])[activity][:, None, None]
    windows = np.sin(speed * phase + np.arange(CHANNELS)) + level + rng.normal(0, 0.1, (count, STEPS, CHANNELS))
    table = np.column_stack([windows.reshape(count, -1), activity])
    np.savetxt(path, table, fmt="%.4f", delimiter=",")


def read(path):
    table = np.loadtxt(path, delimiter=",")
    windows = table[:, :-1].reshape(-1, STEPS, CHANNELS)
    labels = table[:, -1:].astype(int)
    return windows.astype(np.float32), labels
