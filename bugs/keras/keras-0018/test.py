"""Healthy: the trained network recognises the weave of most pictures it has not seen."""

import oracle
import recognise_weave


def accuracy(seed):
    return recognise_weave.train(seed, epochs=5)[1]


oracle.symptom("accuracy on new pictures", accuracy, at_least=0.6, seeds=5)
