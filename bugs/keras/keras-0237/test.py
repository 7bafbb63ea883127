"""Healthy: most calls of another day are told right."""

import classify_calls
import numpy as np
import oracle
from calls import record


def accuracy(seed):
    model = classify_calls.train()
    sounds, species = record(200, seed=40 + seed)
    return float(np.mean(classify_calls.classify(model, sounds) == species))


oracle.value("share of calls told right", accuracy, at_least=0.75)
