"""Healthy: points are where the image is bright, whether an item is mirrored or not."""

import estimate_depth
import oracle
from cameras import RigDataset


def share(seed):
    return estimate_depth.hit_rate(RigDataset(count=80, flip_image_prob=1.0, seed=seed))


oracle.value("share of points on a bright pixel when all items are mirrored", share, at_least=0.95)
