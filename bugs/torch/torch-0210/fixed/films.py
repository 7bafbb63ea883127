"""Films of a mouth that says one of three sounds."""

import numpy as np
import torch

SOUNDS = ["a", "o", "m"]


def record(count, seed, length=6, side=12):
    rng = np.random.RandomState(seed)
    rows, columns = np.mgrid[:side, :side] - (side - 1) / 2
    sounds = rng.randint(len(SOUNDS), size=count)
    films = np.empty((count, length, 1, side, side), "float32")
    for film, sound in zip(films, sounds):
        for time in range(length):
            opening = np.sin(np.pi * (time + 0.5) / length)
            height, width = [(4 * opening, 4), (3 * opening, 3 * opening), (0.6, 4)][sound]
            inside = (rows / (height + 0.5)) ** 2 + (columns / (width + 0.5)) ** 2 < 1
            film[time, 0] = inside + rng.normal(0, 0.2, inside.shape)
    return torch.from_numpy(films), torch.from_numpy(sounds)
