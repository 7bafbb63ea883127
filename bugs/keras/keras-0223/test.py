"""Healthy: the stage of most new recordings is recognized."""

import numpy as np
import oracle
import sleep_stages
from recordings import load


def accuracy(seed):
    network = sleep_stages.train()
    signals, stage = load(300, seed=700 + seed)
    return float(np.mean(network.predict(signals, verbose=0).argmax(axis=-1) == stage))


oracle.symptom("share of new recordings with the right stage", accuracy, at_least=0.7, seeds=5)
