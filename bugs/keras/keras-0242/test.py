"""Healthy: little of the variance of the strength of new recipes is unexplained."""

import numpy as np
import oracle
import strength
from concrete import load


def unexplained(seed):
    model = strength.train()
    recipes, measured = load(300, seed=80 + seed)
    return float(np.mean((model.predict(recipes, verbose=0) - measured) ** 2) / np.var(measured))


oracle.value("share of the variance that is unexplained", unexplained, at_most=0.05)
