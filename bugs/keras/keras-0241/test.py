"""Healthy: nearly all pixels of new scenes get the right class."""

import numpy as np
import oracle
import segment_scenes
from scenes import load


def right_pixels(seed):
    fcn = segment_scenes.train()
    images, labels = load(60, seed=30 + seed)
    return float(np.mean(fcn.predict(images, verbose=0).argmax(axis=-1) == labels))


oracle.value("share of pixels with the right class", right_pixels, at_least=0.9)
