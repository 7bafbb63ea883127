"""Healthy: the reported F1 is the one of all payments."""

import find_frauds
import numpy as np
import oracle
from payments import load


def difference(seed):
    detector = find_frauds.train(epochs=2)
    payments, fraud = load(1000, seed=10 + seed)
    reported = find_frauds.evaluate(detector, payments, fraud)["f1"]
    found, real = detector.predict(payments, verbose=0) > 0.5, fraud > 0.5
    return float(abs(reported - 2 * np.sum(found & real) / (np.sum(found) + np.sum(real))))


oracle.value("difference between reported and true F1", difference, at_most=0.01)
