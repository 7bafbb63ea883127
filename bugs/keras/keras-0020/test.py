"""Healthy: the network sorts validation pictures about as well as the pictures it was trained on."""

import oracle
import sort_fruit


def accuracy(seed):
    return sort_fruit.train(seed, epochs=6).history["val_accuracy"][-1]


oracle.symptom("validation accuracy", accuracy, at_least=0.75, seeds=5)
