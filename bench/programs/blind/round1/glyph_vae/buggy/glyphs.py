import numpy as np
import torch

SIZE = 14


def render(rng):
    """A bright bar at a random angle and position."""
    yy, xx = np.mgrid[:SIZE, :SIZE]
    cy, cx = rng.uniform(4, SIZE - 5, 2)
    angle = rng.uniform(0, np.pi)
    dy, dx = yy - cy, xx - cx
    along = dx * np.cos(angle) + dy * np.sin(angle)
    across = -dx * np.sin(angle) + dy * np.cos(angle)
    return ((np.abs(along) < 5) & (np.abs(across) < 1.3)).astype("float32")


def load(count, seed):
    rng = np.random.default_rng(seed)
    return torch.from_numpy(np.stack([render(rng).ravel() for _ in range(count)]))
