"""Strokes on a touch pad as sequences of (dx, dy, pressure)."""
import numpy as np
import torch
from torch.utils.data import Dataset

GESTURES = ['circle_left', 'circle_right', 'zigzag', 'swipe_back']
STEPS = 30


def stroke(name, rng):
    t = np.linspace(0, 1, STEPS + 1)
    start = rng.uniform(0, 2 * np.pi)
    if name == 'circle_left':
        path = np.stack([np.cos(2 * np.pi * t + start), np.sin(2 * np.pi * t + start)], axis=1)
    elif name == 'circle_right':
        path = np.stack([np.cos(start - 2 * np.pi * t), np.sin(start - 2 * np.pi * t)], axis=1)
    else:
        along = t * 4 if name == 'zigzag' else 2 * np.minimum(t, 1 - t) * 2
        across = 0.4 * np.abs((t * 4 + rng.uniform(0, 1)) % 1 - 0.5) if name == 'zigzag' else 0 * t
        c, s = np.cos(start), np.sin(start)
        path = np.stack([c * along - s * across, s * along + c * across], axis=1)
    steps = np.diff(path, axis=0) * rng.uniform(0.7, 1.3) * 5 + rng.normal(0, 0.25, (STEPS, 2))
    pressure = rng.normal(0, 0.3, (STEPS, 1)) + rng.uniform(-0.5, 0.5)
    return np.concatenate([steps, pressure], axis=1)


class Strokes(Dataset):
    def __init__(self, n, seed):
        rng = np.random.RandomState(seed)
        self.labels = rng.randint(0, len(GESTURES), n)
        self.strokes = np.stack([stroke(GESTURES[k], rng) for k in self.labels]).astype(np.float32)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return torch.from_numpy(self.strokes[i]), int(self.labels[i])
