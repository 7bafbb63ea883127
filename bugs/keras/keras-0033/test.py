"""Healthy: the loss is a number in every epoch and the predicted counts come near the observed ones."""

import bicycle_rides
import oracle


def mean_error(seed):
    _, history = bicycle_rides.train(seed, epochs=4)
    return history["mae"][-1] + 0.0 * history["loss"][-1]


oracle.symptom("mean error in rides", mean_error, at_most=2.0, seeds=5)
