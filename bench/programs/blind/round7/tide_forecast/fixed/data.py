import numpy as np
import torch
from torch.utils.data import Dataset


def simulate_gauge(hours: int, seed: int) -> np.ndarray:
    """Hourly water level: two tidal constituents, their slow modulation, weather and noise."""
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    level = 1.2 * np.sin(2 * np.pi * t / 12.42) + 0.45 * np.sin(2 * np.pi * t / 23.93 + 1.0)
    level *= 1 + 0.25 * np.sin(2 * np.pi * t / (14.77 * 24))
    surge = np.zeros(hours)
    for i in range(1, hours):
        surge[i] = 0.97 * surge[i - 1] + rng.normal(0, 0.04)
    return (level + surge + rng.normal(0, 0.03, hours)).astype(np.float32)


class Windows(Dataset):
    def __init__(self, series: np.ndarray, history: int, horizon: int):
        self.series = torch.from_numpy(series)
        self.history = history
        self.horizon = horizon

    def __len__(self) -> int:
        return len(self.series) - self.history - self.horizon + 1

    def __getitem__(self, i: int):
        x = self.series[i:i + self.history]
        y = self.series[i + self.history:i + self.history + self.horizon]
        return x.unsqueeze(-1), y
