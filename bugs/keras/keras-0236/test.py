"""Healthy: the penalty of the layers keeps their weights small."""

import numpy as np
import oracle
import train_scale


def squared_weights(seed):
    model = train_scale.train()
    return float(sum(np.sum(np.square(layer.get_weights()[0])) for layer in model.layers))


oracle.value("sum of the squared weights", squared_weights, at_most=12.0)
