"""Healthy: the loss is a number in every epoch and falls well below where it began."""

import bicycle_rides
import oracle


def last_loss(seed):
    _, history = bicycle_rides.train(seed, epochs=5)
    return history["loss"][-1]


oracle.symptom("loss of the fifth epoch", last_loss, at_most=0.75, seeds=5)
