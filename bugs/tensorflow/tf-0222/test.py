"""Healthy: the readout explains new measurements up to their noise."""

import numpy as np

import calibrate
import oracle


def mean_squared_error(seed):
    readout = calibrate.main(seed)
    readings, gases = calibrate.measure(1000, seed + 60000)
    error = float(np.mean((readout(readings).numpy().astype("float64") - gases) ** 2))
    return min(error, 1e30) if np.isfinite(error) else 1e30


oracle.symptom("mean squared error", mean_squared_error, at_most=0.1, seeds=6)
