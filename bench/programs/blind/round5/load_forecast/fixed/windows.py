"""Hourly load series and the sliding windows cut from it."""
import numpy as np
import torch
from torch.utils.data import Dataset


def make_series(hours, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    daily = np.sin(2 * np.pi * t / 24) + 0.4 * np.sin(4 * np.pi * t / 24 + 0.5)
    weekly = 0.5 * ((t // 24) % 7 < 5)
    noise = np.zeros(hours)
    for i in range(1, hours):
        noise[i] = 0.8 * noise[i - 1] + 0.08 * rng.standard_normal()
    return (30 + 6 * daily + 4 * weekly + 3 * noise).astype(np.float32)


class WindowDataset(Dataset):
    """`context` past hours as input, the next `horizon` hours as target."""

    def __init__(self, series, context=72, horizon=12):
        self.series = torch.from_numpy(series)
        self.context = context
        self.horizon = horizon

    def __len__(self):
        return len(self.series) - self.context - self.horizon + 1

    def __getitem__(self, i):
        mid = i + self.context
        past = self.series[i:mid]
        future = self.series[mid:mid + self.horizon]
        return past, future
