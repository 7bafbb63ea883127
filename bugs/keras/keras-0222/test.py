"""Healthy: after decoding, readings have clearly less noise than before."""

import clean_readings
import numpy as np
import oracle
from pump_station import measure, true_values


def noise_left(seed):
    autoencoder = clean_readings.train()
    values = true_values(300, seed=1000 + seed)
    readings = measure(values, seed=2000 + seed)
    cleaned = autoencoder.predict(readings, verbose=0)
    return float(np.sqrt(np.mean((cleaned - values) ** 2) / np.mean((readings - values) ** 2)))


oracle.symptom("share of the noise that is left", noise_left, at_most=0.8, seeds=5)
