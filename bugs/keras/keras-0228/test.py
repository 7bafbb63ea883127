"""Healthy: the forecasts for another harbour are off by less than half a decimetre on average."""

import forecast_tide
import numpy as np
import oracle
from tide_gauge import water_level, windows


def mean_error(seed):
    model = forecast_tide.train()
    past, following = windows(water_level(200, seed=40 + seed))
    return float(np.mean(np.abs(model.predict(past, verbose=0) - following)))


oracle.value("mean error of the forecasts in decimetres", mean_error, at_most=0.5)
