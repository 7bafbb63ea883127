import math

import numpy as np
import torch
from torch.utils.data import Dataset

ACTIVITIES = ['rest', 'walk', 'run', 'cycle']
WINDOW = 50


class WristWindows(Dataset):
    """Three axis accelerometer windows, simulated for every activity."""

    def __init__(self, n, seed):
        rng = np.random.RandomState(seed)
        t = np.arange(WINDOW) / 25.0
        speed = np.array([0.0, 1.8, 2.8, 1.2])
        gain = np.array([0.0, 0.8, 1.5, 0.4])
        self.labels = rng.randint(0, len(ACTIVITIES), size=n).astype(np.int64)
        freq = speed[self.labels] + rng.normal(0, 0.1, n)
        phase = rng.uniform(0, 2 * math.pi, (n, 3, 1))
        wave = np.sin(2 * math.pi * freq[:, None, None] * t + phase)
        self.windows = gain[self.labels][:, None, None] * wave + rng.normal(0, 0.4, (n, 3, WINDOW))
        self.windows = self.windows.astype(np.float32)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return torch.from_numpy(self.windows[i]), self.labels[i]
