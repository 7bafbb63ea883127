import numpy as np
import torch
from torch.utils.data import TensorDataset


def draw_sample(rng, size):
    yy, xx = np.mgrid[:size, :size]
    image = rng.normal(0.2, 0.08, (size, size))
    mask = np.zeros((size, size))
    for _ in range(rng.integers(2, 6)):
        cy, cx = rng.uniform(5, size - 5, 2)
        ry, rx = rng.uniform(3, 7, 2)
        inside = ((yy - cy) / ry) ** 2 + ((xx - cx) / rx) ** 2 <= 1
        image[inside] += rng.uniform(0.2, 0.5)
        mask[inside] = 1
    image += rng.normal(0, 0.1, (size, size))
    return image, mask


def make_dataset(count, seed, size=50):
    rng = np.random.default_rng(seed)
    pairs = [draw_sample(rng, size) for _ in range(count)]
    images = np.stack([p[0] for p in pairs])[:, None].astype("float32")
    masks = np.stack([p[1] for p in pairs])[:, None].astype("float32")
    return TensorDataset(torch.from_numpy(images), torch.from_numpy(masks))
