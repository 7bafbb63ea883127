import numpy as np
import torch

SIZE = 20


def textures(n, seed):
    """Striped and checked patches; the class is the combination of direction and spacing."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 8, n)
    yy, xx = np.mgrid[0:SIZE, 0:SIZE]
    images = np.empty((n, 1, SIZE, SIZE), dtype=np.float32)
    for i, k in enumerate(labels):
        angle = (k % 4) * np.pi / 4 + rng.normal(0, 0.08)
        freq = 0.12 if k < 4 else 0.2
        wave = np.sin(2 * np.pi * (freq * (xx * np.cos(angle) + yy * np.sin(angle)) + rng.uniform()))
        images[i, 0] = rng.uniform(0.4, 0.8) * wave + rng.normal(0, 0.75, (SIZE, SIZE))
    return torch.from_numpy(images), torch.from_numpy(labels)


def augment(x):
    """Random crop, brightness, contrast and noise, drawn separately for each image."""
    n = len(x)
    top = torch.randint(0, 5, (n,))
    left = torch.randint(0, 5, (n,))
    rows = top[:, None] + torch.arange(16)
    cols = left[:, None] + torch.arange(16)
    crop = x[torch.arange(n)[:, None, None], 0, rows[:, :, None], cols[:, None, :]].unsqueeze(1)
    gain = torch.empty(n, 1, 1, 1).uniform_(0.6, 1.4)
    shift = torch.empty(n, 1, 1, 1).uniform_(-0.3, 0.3)
    return gain * crop + shift + 0.2 * torch.randn_like(crop)


def centre_crop(x):
    return x[:, :, 2:18, 2:18]
