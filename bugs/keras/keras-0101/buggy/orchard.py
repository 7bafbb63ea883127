"""Pictures of one fruit each and the targets of the detector."""

import numpy as np

from grid_model import CELLS, SIDE


def make_pictures(count, seed=0):
    """Pictures with one bright disc, and the target of every cell."""
    rng = np.random.default_rng(seed)
    centre = rng.uniform(5, SIDE - 5, (count, 2))
    radius = rng.uniform(2.5, 5.0, count)
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    distance = np.hypot(rows - centre[:, 1, None, None], columns - centre[:, 0, None, None])
    pictures = (distance < radius[:, None, None]) + rng.normal(0.0, 0.1, distance.shape)
    return pictures[..., None].astype("float32"), make_targets(centre, radius)


def make_targets(centre, radius):
    cell = SIDE // CELLS
    column, row = (centre // cell).astype(int).T
    targets = np.zeros((len(centre), CELLS * CELLS, 5), "float32")
    offset = centre / cell - np.stack([column, row], axis=1)
    box = np.concatenate([np.ones((len(centre), 1)), offset, np.repeat(2 * radius[:, None] / cell, 2, 1)], 1)
    targets[np.arange(len(centre)), row * CELLS + column] = box
    return targets
