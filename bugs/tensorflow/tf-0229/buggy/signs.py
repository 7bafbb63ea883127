"""Drawings of road signs with an arrow."""

import numpy as np

DIRECTIONS = ["left", "right", "ahead"]
SIDE = 16


def arrow_up():
    drawing = np.zeros((11, 11))
    drawing[3:, 5] = 1
    for row in range(4):
        drawing[row + 1, 5 - row : 6 + row] = 1
    return drawing


def draw(direction, rng):
    turns = {"left": 1, "right": 3, "ahead": 0}[direction]
    image = np.zeros((SIDE, SIDE))
    row, column = rng.randint(0, SIDE - 10, size=2)
    image[row : row + 11, column : column + 11] = np.rot90(arrow_up(), turns)
    return image * rng.uniform(0.5, 0.9) + rng.normal(0.1, 0.08, image.shape)


def drive_past(count, seed):
    rng = np.random.RandomState(seed)
    labels = rng.randint(len(DIRECTIONS), size=count)
    images = np.stack([draw(DIRECTIONS[label], rng) for label in labels])
    return np.clip(images, 0, 1)[..., None].astype("float32"), labels
