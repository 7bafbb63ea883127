"""Healthy: once trained, the network forecasts the levels of a later stretch closely."""

import forecast_tide
import oracle


def error(seed):
    return forecast_tide.train(seed, epochs=12)[1]


oracle.symptom("mean squared error on later levels", error, at_most=0.2, seeds=5)
