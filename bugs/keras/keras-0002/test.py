"""Healthy: after training, the direction is read correctly from almost every new patch."""

import oracle
import brush_direction


def accuracy(seed):
    model, _ = brush_direction.train(seed)
    return brush_direction.accuracy(model, seed)


oracle.symptom("accuracy on new patches", accuracy, at_least=0.8, seeds=5)
