"""Healthy: the network that training returns outlines the cells of new micrographs."""

import numpy as np
import oracle
import outline_cells
from micrographs import make_micrographs


def overlap_on_new_micrographs(seed):
    network = outline_cells.train(seed)
    images, masks = make_micrographs(48, 10_000 + seed)
    found = network.predict(images, verbose=0) > 0.5
    return float(2.0 * (found * masks).sum() / (found.sum() + masks.sum()))


oracle.symptom("Dice coefficient on new micrographs", overlap_on_new_micrographs, at_least=0.75, seeds=5)
