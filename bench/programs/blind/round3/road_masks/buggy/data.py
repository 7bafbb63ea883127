import numpy as np
import torch
from torch.utils.data import Dataset

SIZE = 32


def aerial_tile(rng):
    """An RGB tile (C, H, W) with one or two roads and the mask (H, W) of the roads."""
    yy, xx = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    mask = np.zeros((SIZE, SIZE), dtype=np.float32)
    for _ in range(rng.integers(1, 3)):
        angle = rng.uniform(0, np.pi)
        cy, cx = rng.uniform(6, SIZE - 6, size=2)
        dist = np.abs((xx - cx) * np.sin(angle) - (yy - cy) * np.cos(angle))
        mask[dist < rng.uniform(1.2, 2.2)] = 1.0
    image = np.stack([np.full((SIZE, SIZE), v) for v in rng.uniform(0.2, 0.5, size=3)])
    for _ in range(4):
        y0, x0 = rng.integers(0, SIZE - 6, size=2)
        image[:, y0:y0 + 6, x0:x0 + 5] = rng.uniform(0.1, 0.9, size=(3, 1, 1))
    image = image * (1 - mask) + mask * rng.uniform(0.55, 0.7)
    image = image + 0.08 * rng.standard_normal(image.shape)
    return image.astype(np.float32), mask


class RoadTiles(Dataset):
    def __init__(self, n, seed, augment=False):
        self.rng = np.random.default_rng(seed)
        self.tiles = [aerial_tile(self.rng) for _ in range(n)]
        self.augment = augment

    def __len__(self):
        return len(self.tiles)

    def __getitem__(self, i):
        image, mask = self.tiles[i]
        if self.augment:
            if self.rng.random() < 0.5:
                image = image[:, ::-1]
                mask = mask[:, ::-1]
            gain = self.rng.uniform(0.9, 1.1)
            image = image * np.float32(gain)
        return torch.from_numpy(image.copy()), torch.from_numpy(mask.copy())
