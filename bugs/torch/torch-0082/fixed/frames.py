"""Recordings of one-word commands as sequences of filter-bank frames."""

import torch
from torch.utils.data import Dataset

COMMANDS = ("go", "stop", "left", "right")


class CommandSet(Dataset):
    """Every command is a contour through the bands; speakers differ in pitch and loudness."""

    def __init__(self, count=128, frames=16, bands=12, seed=0):
        generator = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(len(COMMANDS), (count,), generator=generator)
        time = torch.linspace(0, 1, frames)
        contours = torch.stack([time, 1 - time, (2 * time - 1).abs(), 1 - (2 * time - 1).abs()])
        pitch = 0.3 * torch.rand(count, 1, generator=generator)
        centre = (0.7 * contours[self.labels] + pitch) * (bands - 1)
        distance = torch.arange(bands) - centre.unsqueeze(2)
        loudness = 0.5 + torch.rand(count, 1, 1, generator=generator)
        noise = 0.2 * torch.randn(count, frames, bands, generator=generator)
        self.features = loudness * torch.exp(-distance.square() / 2) + noise

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.features[index], self.labels[index]
