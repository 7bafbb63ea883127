import numpy as np
import torch


def two_moons(count, seed):
    rng = np.random.RandomState(seed)
    label = rng.randint(2, size=count)
    angle = rng.uniform(0, np.pi, count)
    points = np.stack([np.cos(angle) + label, np.sin(angle) * (1 - 2 * label) + 0.4 * label], axis=1)
    points += rng.normal(0, 0.1, points.shape)
    return torch.from_numpy(points).float(), torch.from_numpy(label)
