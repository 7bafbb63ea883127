"""Healthy: nearly all new signs are recognized."""

import numpy as np
import oracle
import read_signs
from signs import load


def accuracy(seed):
    classifier = read_signs.train()
    images, labels = load(300, seed=100 + seed)
    return float(np.mean(classifier.predict(images, verbose=0).argmax(axis=-1) == labels))


oracle.value("share of new signs that are recognized", accuracy, at_least=0.85)
