"""Healthy: the network finds the masks of new cells."""

import numpy as np

import oracle
import segment_cells
from cells import draw_cells


def overlap_of_new_cells(seed):
    model = segment_cells.train(seed)
    images, masks = draw_cells(40, seed + 7000)
    predicted, real = model.predict(images) > 0.5, masks > 0.5
    return float(np.sum(predicted & real)) / max(1, np.sum(predicted | real))


oracle.symptom("intersection over union of new cells", overlap_of_new_cells, at_least=0.4, seeds=5)
