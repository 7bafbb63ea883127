"""Healthy: scratches are found on most new wafers, and good wafers pass."""

import inspect_wafers
import numpy as np
import oracle
from wafers import load


def accuracy(seed):
    network = inspect_wafers.train()
    photographs, bad = load(300, seed=70 + seed)
    return float(np.mean(network.predict(photographs, verbose=0).argmax(axis=-1) == bad))


oracle.value("share of new wafers that are judged right", accuracy, at_least=0.85)
