"""Sinusoidal encoding of places in a sentence."""

import numpy as np
import torch


def sinusoids(length, size):
    places = np.arange(length)[:, None]
    rates = 10000.0 ** (-np.arange(0, size, 2) / size)
    table = np.zeros((length, size), "float32")
    table[:, 0::2] = np.sin(places * rates)
    table[:, 1::2] = np.cos(places * rates)
    return torch.from_numpy(table)
