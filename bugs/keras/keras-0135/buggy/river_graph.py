"""A network of measuring stations: which of three catchments does a station belong to?"""

import numpy as np

CATCHMENTS = 3
FEATURES = 8


def make_stations(count=150, seed=0):
    """Links, measurements and catchment of each station; links are mostly within a catchment."""
    rng = np.random.default_rng(seed)
    catchment = rng.integers(CATCHMENTS, size=count)
    same = catchment[:, None] == catchment[None, :]
    linked = np.triu(rng.uniform(size=(count, count)) < np.where(same, 0.05, 0.004), k=1)
    centres = np.random.default_rng(77).normal(0.0, 1.0, (CATCHMENTS, FEATURES))
    measured = centres[catchment] + rng.normal(0.0, 1.5, (count, FEATURES))
    return (linked | linked.T).astype("float32"), measured.astype("float32"), catchment


def normalize_adjacency(links):
    """D^-1/2 A D^-1/2, so that well-connected stations do not outweigh the others."""
    degree = links.sum(axis=1)
    inverse_root = np.power(degree, -0.5)
    return (links * inverse_root[:, None]) * inverse_root[None, :]
