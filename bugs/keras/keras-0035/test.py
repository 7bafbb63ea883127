"""Healthy: the loss keeps falling until the arms are told apart, also for stars not trained on."""

import oracle
import spiral_arms


def accuracy(seed):
    return spiral_arms.train(seed, epochs=4)[1]


oracle.symptom("accuracy on other stars", accuracy, at_least=0.7, seeds=5)
