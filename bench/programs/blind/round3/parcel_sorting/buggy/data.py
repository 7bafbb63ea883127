import numpy as np
import torch
from torch.utils.data import Dataset


SYMBOLS = ["fragile", "upright", "heavy", "express"]


def draw_symbol(kind, rng):
    img = np.zeros((32, 32), dtype=np.float32)
    cy, cx = rng.integers(11, 21, size=2)
    if kind == 0:
        for d in range(-7, 8):
            img[cy + d, cx + d] = 1.0
            img[cy + d, cx - d] = 1.0
    elif kind == 1:
        img[cy - 8:cy + 8, cx - 1:cx + 1] = 1.0
        for d in range(5):
            img[cy - 8 + d, cx - d:cx + d + 1] = 1.0
    elif kind == 2:
        img[cy - 6:cy + 6, cx - 6:cx + 6] = 1.0
    else:
        img[cy - 7:cy + 7, cx - 7] = 1.0
        for row in (-7, 0, 6):
            img[cy + row, cx - 7:cx + 6] = 1.0
    return img


class ParcelImages(Dataset):
    """Grey camera pictures of parcel labels."""

    def __init__(self, n, seed, train=False, pad=3):
        self.rng = np.random.default_rng(seed)
        self.labels = self.rng.integers(0, len(SYMBOLS), size=n)
        self.images = np.stack([draw_symbol(k, self.rng) for k in self.labels])
        self.images += 0.35 * self.rng.standard_normal(self.images.shape).astype(np.float32)
        self.train = train
        self.pad = pad

    def __len__(self):
        return len(self.labels)

    def random_shift(self, img):
        h, w = img.shape
        padded = np.pad(img, self.pad)
        top = self.rng.integers(0, 2 * self.pad + 1)
        left = self.rng.integers(0, 2 * self.pad + 1)
        return img[top:top + h, left:left + w]

    def __getitem__(self, i):
        img = self.images[i]
        if self.train:
            img = self.random_shift(img)
        return torch.from_numpy(img.copy()).unsqueeze(0), int(self.labels[i])
