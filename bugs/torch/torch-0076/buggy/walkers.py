"""Paths of walkers in a square, in windows of eight steps."""

import torch
from torch.utils.data import Dataset


class WalkerDataset(Dataset):
    """An item is a scene: positions (walkers, 2, steps) of all walkers in it."""

    def __init__(self, scenes=24, steps=8, seed=0):
        generator = torch.Generator().manual_seed(seed)
        self.scenes = []
        for _ in range(scenes):
            walkers = int(torch.randint(2, 5, (1,), generator=generator))
            speed = 0.3 * torch.randn(walkers, 2, 1, generator=generator)
            start = torch.rand(walkers, 2, 1, generator=generator)
            noise = 0.02 * torch.randn(walkers, 2, steps, generator=generator)
            self.scenes.append(start + speed * torch.arange(steps) / steps + noise)

    def __len__(self):
        return len(self.scenes)

    def __getitem__(self, index):
        return self.scenes[index]


def seq_collate(scenes):
    """All walkers of the scenes side by side, time first: (steps, walkers, 2), and where each scene begins."""
    starts = torch.tensor([0, *[len(scene) for scene in scenes]]).cumsum(0)
    return torch.cat(scenes, dim=0).permute(2, 0, 1), starts
