"""Synthetic hourly weather and the output of a small solar plant."""
import numpy as np
import torch
from torch.utils.data import Dataset

HOURS_PER_DAY = 24


def simulate(days, seed):
    rng = np.random.default_rng(seed)
    hours = np.arange(days * HOURS_PER_DAY)
    sun = np.clip(np.sin((hours % 24 - 6) / 12 * np.pi), 0, None)
    cloud = np.zeros(len(hours))
    for t in range(1, len(hours)):
        cloud[t] = 0.92 * cloud[t - 1] + 0.3 * rng.normal()
    cover = 1 / (1 + np.exp(-cloud))
    temp = 15 + 8 * sun + rng.normal(0, 1, len(hours))
    power = 40 * sun * (1 - 0.75 * cover) + rng.normal(0, 0.4, len(hours))
    phase = 2 * np.pi * hours / HOURS_PER_DAY
    return np.stack([power, cover, temp, np.sin(phase), np.cos(phase)], axis=1)


class PlantWindows(Dataset):
    """A window of past hours and the power in the hour that follows."""

    def __init__(self, series, length, mean, std):
        scaled = (series - mean) / std
        starts = range(len(scaled) - length)
        windows = np.stack([scaled[s:s + length] for s in starts])
        targets = scaled[length:, 0]
        self.windows = torch.from_numpy(windows).float()
        self.targets = torch.from_numpy(targets).float()

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, i):
        return self.windows[i], self.targets[i]
