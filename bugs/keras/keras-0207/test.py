"""Healthy: the reported accuracy is the share of calls whose bird is named."""

import numpy as np

import bird_calls
import oracle


def gap(seed):
    model = bird_calls.train(seed)
    x, bird = bird_calls.calls(500, seed + 60)
    named = float(np.mean(np.argmax(model.predict(x), axis=1) == bird))
    return abs(bird_calls.reported_accuracy(model, x, bird) - named)


oracle.value("difference between the reported and the counted accuracy", gap, at_most=0.01)
