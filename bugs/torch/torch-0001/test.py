"""Healthy: the spotter names at least seven of ten keywords it has not heard before."""

import oracle
import train_keywords


def held_out_accuracy(seed):
    _, accuracy = train_keywords.run(seed)
    return accuracy


oracle.symptom("held-out accuracy", held_out_accuracy, at_least=0.7, seeds=6)
