"""Recordings of key words and their filter-bank energies."""

import numpy as np
import torch
from torch.utils.data import Dataset

RATE, WINDOW, HOP, BANDS = 8000, 256, 40, 20
PITCH = (180.0, 260.0, 350.0)


def filter_bank():
    """Triangles over the frequencies, spaced evenly on the mel scale."""
    edges = 700 * (10 ** (np.linspace(0, 2595 * np.log10(1 + RATE / 2 / 700), BANDS + 2) / 2595) - 1)
    bins = np.linspace(0, RATE / 2, WINDOW // 2 + 1)
    rising = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
    return np.maximum(0, np.minimum(rising, falling))


class WordCorpus(Dataset):
    def __init__(self, count=60, seed=0):
        rng = np.random.default_rng(seed)
        self.words = np.arange(count) % len(PITCH)
        time = np.arange(RATE // 2) / RATE
        pitch = np.array(PITCH)[self.words][:, None] * rng.uniform(0.95, 1.05, (count, 1))
        self.waves = np.sin(2 * np.pi * pitch * time) + 0.3 * rng.standard_normal((count, len(time)))
        self.bank = filter_bank()
        self.features = {}

    def __len__(self):
        return len(self.words)

    def _compute(self, wave):
        emphasized = np.append(wave[0], wave[1:] - 0.97 * wave[:-1])
        starts = range(0, len(wave) - WINDOW + 1, HOP)
        frames = np.stack([emphasized[start : start + WINDOW] * np.hamming(WINDOW) for start in starts])
        power = np.abs(np.fft.rfft(frames)) ** 2
        energies = np.log(power @ self.bank.T + 1e-6)
        return torch.from_numpy((energies[::4] - energies.mean()) / energies.std()).float()

    def __getitem__(self, index):
        if index not in self.features:
            self.features[index] = self._compute(self.waves[index])
        return self.features[index], int(self.words[index])
