"""Healthy: the curve explains most of the power at new speeds."""

import numpy as np

import oracle
import pump_curve


def unexplained(seed):
    model = pump_curve.fit_curve(seed)
    speed, power = pump_curve.measurements(300, seed + 800)
    return float(np.mean((model.predict(speed) - power) ** 2) / np.var(power))


oracle.symptom("share of the variance that is not explained", unexplained, at_most=0.4, seeds=5)
