"""Healthy: the trained model puts most new points on the right side of the ring."""

import oracle
import ring_detector


def accuracy(seed):
    model, _ = ring_detector.train(seed)
    return ring_detector.accuracy(model, seed)


oracle.symptom("accuracy on new points", accuracy, at_least=0.8, seeds=5)
