"""Hourly loads of several substations, cut into windows."""

import numpy as np


def simulate(hours=24 * 40, substations=5, seed=0):
    """A daily and a weekly rhythm per substation, in megawatts."""
    rng = np.random.default_rng(seed)
    time = np.arange(hours)[:, None]
    base = rng.uniform(20, 60, substations)
    daily = rng.uniform(4, 10, substations) * np.sin(2 * np.pi * (time - rng.uniform(0, 6, substations)) / 24)
    weekly = rng.uniform(1, 4, substations) * np.cos(2 * np.pi * time / (24 * 7))
    return (base + daily + weekly + rng.normal(0, 0.8, (hours, substations))).astype(np.float32)


class Windows:
    """Pairs of a history and the hours after it; values are standardized per substation."""

    def __init__(self, loads, history=48, horizon=12):
        self.mean, self.std = loads.mean(axis=0), loads.std(axis=0)
        scaled = (loads - self.mean) / self.std
        starts = range(0, len(scaled) - history - horizon, 6)
        self.past = np.stack([scaled[s : s + history] for s in starts])
        self.future = np.stack([scaled[s + history : s + history + horizon] for s in starts])

    def in_megawatts(self, scaled):
        return scaled * self.std + self.mean
