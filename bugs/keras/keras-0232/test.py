"""Healthy: after calibration the thermometer is off by less than 0.1 on average."""

import calibrate
import numpy as np
import oracle
from weather import measurements


def mean_error(seed):
    model = calibrate.train()
    readings, temperature = measurements(300, seed=60 + seed)
    return float(np.mean(np.abs(model.predict(readings, verbose=0) - temperature)))


oracle.value("mean error of new measurements", mean_error, at_most=0.1)
