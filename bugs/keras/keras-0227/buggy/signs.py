"""Arrows on road signs, drawn with noise: turn left, turn right, go straight on, no way through."""

import numpy as np

SIZE = 16
KINDS = ("left", "right", "ahead", "closed")


def _arrow_left():
    image = np.zeros((9, 9), "float32")
    image[4, 1:8] = 1.0
    for step in range(4):
        image[4 - step, 1 + step] = image[4 + step, 1 + step] = 1.0
    return image


SHAPES = {
    "left": _arrow_left(),
    "right": _arrow_left()[:, ::-1],
    "ahead": _arrow_left().T,
    "closed": np.eye(9, dtype="float32") + np.eye(9, dtype="float32")[::-1],
}


def draw(kind, rng):
    image = rng.normal(0.0, 0.2, (SIZE, SIZE))
    top, left = rng.integers(0, SIZE - 9, 2)
    image[top : top + 9, left : left + 9] += SHAPES[kind] * rng.uniform(0.7, 1.0)
    return image[..., None].astype("float32")


def load(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(len(KINDS), size=count)
    return np.stack([draw(KINDS[label], rng) for label in labels]), labels
