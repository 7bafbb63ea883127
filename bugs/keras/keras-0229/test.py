"""Healthy: a resized mask has no class that the mask did not have before."""

import numpy as np
import oracle
from fields import load
from resize import batches


def strange_pixels(seed):
    images, masks = load(12, seed=20 + seed)
    resized = np.concatenate([np.asarray(mask) for _, mask in batches(images, masks)])
    strange = [~np.isin(after, np.unique(before)) for before, after in zip(masks, resized)]
    return float(np.mean(strange))


oracle.value("share of pixels with a class that was not there before", strange_pixels, equals=0.0)
