"""Healthy: the accuracy that the program expects is near the one that new patients show."""

import numpy as np

import diagnose
import oracle
import patients


def overestimate(seed):
    model, expected = diagnose.main(seed)
    values, labels = patients.examine(2000, seed + 80000)
    actual = np.mean((model(values).numpy() > 0) == (labels > 0.5))
    return float(expected - actual)


oracle.symptom("overestimate of the accuracy", overestimate, at_most=0.17, seeds=6)
