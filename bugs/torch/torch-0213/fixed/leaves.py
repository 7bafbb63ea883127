"""Images of leaves that are held in memory."""

import numpy as np
import torch
from torch.utils.data import Dataset


def collect(count, seed, side=10):
    rng = np.random.RandomState(seed)
    rows, columns = np.mgrid[:side, :side] - (side - 1) / 2
    labels = rng.randint(2, size=count)
    images = np.empty((count, side, side), "float32")
    for image, label in zip(images, labels):
        height = rng.uniform(3.5, 5) if label else rng.uniform(2, 3)
        inside = (rows / height) ** 2 + (columns / 2.5) ** 2 < 1
        image[:] = 90 + 60 * inside + rng.normal(0, 25, inside.shape)
    return images, labels


class Leaves(Dataset):
    def __init__(self, images, labels):
        self.images, self.labels = images, labels
        self.mean, self.spread = float(images.mean()), float(images.std())

    def __len__(self):
        return len(self.images)

    def __getitem__(self, number):
        image = torch.from_numpy(self.images[number])
        return standardise(image, self.mean, self.spread), int(self.labels[number])


def standardise(image, mean, spread):
    return image.sub(mean).div(spread)
