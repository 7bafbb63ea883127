"""Healthy: at the end of training the loss is still about as low as it has ever been."""

import forecast_tide
import oracle


def rise(seed):
    losses, _ = forecast_tide.train(seed)
    return losses[-1] / min(losses)


oracle.symptom("last loss divided by the lowest loss", rise, at_most=2.0, seeds=5)
