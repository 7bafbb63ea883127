"""Films of showers that drift over a small area."""

import numpy as np
import torch


def film(count, seed, length=6, side=16):
    rng = np.random.RandomState(seed)
    rows, columns = np.mgrid[:side, :side]
    films = np.zeros((count, length, 1, side, side), "float32")
    for one in films:
        place, speed = rng.uniform(4, 12, 2), rng.uniform(-1, 1, 2)
        for time in range(length):
            y, x = place + time * speed
            one[time, 0] = np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / 6)
    return torch.from_numpy(films)
