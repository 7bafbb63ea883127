"""Healthy: the validation loss falls to little more than the noise in the measured demand."""

import heating_demand
import oracle


def last_loss(seed):
    _, history = heating_demand.train(seed, epochs=5)
    return history["val_loss"][-1]


oracle.symptom("last validation loss", last_loss, at_most=0.13, seeds=5)
