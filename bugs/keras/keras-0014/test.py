"""Healthy: the trained network sorts most pictures of cloth that it has not seen before."""

import oracle

import sort_cloth


def accuracy(seed):
    return sort_cloth.train(seed)[1]


oracle.symptom("held-out accuracy", accuracy, at_least=0.75, seeds=5)
