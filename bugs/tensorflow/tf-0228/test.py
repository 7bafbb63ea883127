"""Healthy: loads that are measured without noise are estimated closely."""

import numpy as np

import calibrate_scale
import oracle


def mean_squared_error(seed):
    scale = calibrate_scale.calibrate(seed)
    readings, loads = calibrate_scale.weigh(1000, seed + 4000, noise=0.0)
    return float(np.mean((scale(readings).numpy() - loads) ** 2))


oracle.value("mean squared error without noise", mean_squared_error, at_most=0.15)
