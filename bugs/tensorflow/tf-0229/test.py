"""Healthy: the direction of nearly all new signs is read."""

import numpy as np

import oracle
import read_signs
import signs


def share_read(seed):
    model = read_signs.train(seed)
    images, labels = signs.drive_past(300, seed + 2000)
    return float((np.argmax(model(images), axis=1) == labels).mean())


oracle.value("share of signs that are read", share_read, at_least=0.9)
