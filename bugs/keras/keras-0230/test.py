"""Healthy: most digits on new photographs are read right."""

import numpy as np
import oracle
import read_meters
from meter_digits import load


def accuracy(seed):
    network = read_meters.train()
    images, digits = load(500, seed=300 + seed)
    return float(np.mean(network.predict(images, verbose=0).argmax(axis=-1) == digits))


oracle.symptom("share of digits read right", accuracy, at_least=0.85, seeds=5)
