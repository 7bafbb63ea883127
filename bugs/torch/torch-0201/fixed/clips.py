"""Sound clips that are moved in time and made louder or quieter at random."""

import numpy as np
import torch
from torch.utils.data import Dataset

SAMPLES = 50


class JitteredClips(Dataset):
    """Each item is a clip with a random shift and gain, its class, and the shift and gain that were drawn."""

    def __init__(self, count=64):
        time = np.arange(SAMPLES) / float(SAMPLES)
        self.pitch = np.arange(count) % 4
        self.clips = np.sin(2 * np.pi * (3 + 2 * self.pitch[:, None]) * time[None, :])

    def __len__(self):
        return len(self.clips)

    def __getitem__(self, index):
        shift = np.random.randint(SAMPLES)
        gain = np.random.uniform(0.5, 1.5)
        clip = gain * np.roll(self.clips[index], shift)
        return torch.from_numpy(clip).float(), int(self.pitch[index]), shift, gain
