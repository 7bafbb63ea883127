"""Healthy: after training, most of the validation pots are judged correctly."""

import oracle
import water_plants


def accuracy(seed):
    _, history = water_plants.train(seed, epochs=5)
    return history.history["val_accuracy"][-1]


oracle.symptom("validation accuracy", accuracy, at_least=0.75, seeds=5)
