"""Synthetic dermatoscopy patches: a dark irregular blob on textured skin."""
import numpy as np
import torch
from torch.utils.data import Dataset

SIZE = 40


def draw_case(rng):
    yy, xx = np.mgrid[:SIZE, :SIZE]
    cy, cx = rng.uniform(9, SIZE - 9, size=2)
    ry, rx = rng.uniform(4, 9, size=2)
    angle = np.arctan2(yy - cy, xx - cx)
    wobble = 1 + 0.2 * np.sin(3 * angle + rng.uniform(0, 6))
    mask = ((yy - cy) / ry) ** 2 + ((xx - cx) / rx) ** 2 < wobble
    skin = rng.uniform(0.6, 0.8, size=3)[:, None, None]
    image = skin + 0.08 * rng.standard_normal((3, SIZE, SIZE))
    image = image - mask * rng.uniform(0.1, 0.25)
    # a few hairs as distractors
    for _ in range(3):
        c = rng.integers(0, SIZE)
        image[:, :, c] -= 0.2
    return image.astype(np.float32), mask.astype(np.float32)


def random_flip(array, rng):
    """Mirror a (C, H, W) array left-right and up-down, each with chance one half."""
    if rng.random() < 0.5:
        array = array[:, :, ::-1]
    if rng.random() < 0.5:
        array = array[:, ::-1, :]
    return array


class Lesions(Dataset):
    def __init__(self, n, seed, augment=False):
        rng = np.random.default_rng(seed)
        self.cases = [draw_case(rng) for _ in range(n)]
        self.augment = augment
        self.rng = np.random.default_rng(seed + 1)

    def __len__(self):
        return len(self.cases)

    def __getitem__(self, i):
        image, mask = self.cases[i]
        mask = mask[None]
        if self.augment:
            image, mask = np.split(random_flip(np.concatenate([image, mask]), self.rng), [3])
        return torch.from_numpy(image.copy()), torch.from_numpy(mask.copy())
