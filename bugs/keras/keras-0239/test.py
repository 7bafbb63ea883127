"""Healthy: most cells on new pictures are recognized."""

import count_cells
import numpy as np
import oracle
from cells import load


def accuracy(seed):
    network = count_cells.train()
    images, kinds = load(400, seed=200 + seed)
    return float(np.mean(network.predict(images, verbose=0).argmax(axis=-1) == kinds))


oracle.symptom("share of new cells that are recognized", accuracy, at_least=0.8, seeds=5)
