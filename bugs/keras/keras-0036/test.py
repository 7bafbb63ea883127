"""Healthy: what has been learned in the early epochs is still there at the end of training."""

import bird_calls
import oracle


def accuracy(seed):
    return bird_calls.train(seed)[1]


oracle.value("accuracy on other clips", accuracy, at_least=0.7)
