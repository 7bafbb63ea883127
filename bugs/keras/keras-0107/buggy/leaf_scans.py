"""Scans of leaves with spots, and the masks of the spots."""

import numpy as np

HEIGHT, WIDTH = 44, 60


def draw_leaf(rng):
    """One grey scan and the mask of its spots."""
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    scan = 0.5 + 0.1 * np.sin(columns / 6.0 + rng.uniform(0, 6))
    mask = np.zeros((HEIGHT, WIDTH))
    for _ in range(rng.integers(1, 4)):
        row, column, radius = rng.uniform(5, HEIGHT - 5), rng.uniform(5, WIDTH - 5), rng.uniform(3, 6)
        mask[np.hypot(rows - row, columns - column) < radius] = 1.0
    scan = scan - 0.3 * mask + rng.normal(0.0, 0.05, scan.shape)
    return scan, mask


def load_scans(count, seed=0):
    rng = np.random.default_rng(seed)
    scans, masks = zip(*(draw_leaf(rng) for _ in range(count)))
    return np.stack(scans)[..., None].astype("float32"), np.stack(masks)[..., None].astype("float32")
