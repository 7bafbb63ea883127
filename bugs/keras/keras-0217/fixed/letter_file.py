"""Writes and reads the file of letters; its labels are those of the publisher."""

import numpy as np
from scipy.io import loadmat, savemat

LETTERS = 8


def write(path, count=320, seed=0):
    rng = np.random.RandomState(seed)
    shapes = np.random.RandomState(1).rand(LETTERS, 36) > 0.5
    label = rng.randint(1, LETTERS + 1, size=count)
    images = shapes[label - 1] * 200 + rng.randint(0, 50, size=(count, 36))
    savemat(path, {"images": images.astype(np.uint8), "labels": label.reshape(-1, 1).astype(np.uint8)})


def read(path):
    stored = loadmat(path)
    return stored["images"].astype("float32") / 255, stored["labels"].ravel()
