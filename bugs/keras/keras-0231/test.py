"""Healthy: a trained network makes other points in every call."""

import learn_ring
import numpy as np
import oracle


def different_points(seed):
    gan = learn_ring.train(epochs=1)
    points = np.concatenate([np.asarray(gan.generate(2)) for _ in range(5)])
    return len({point.tobytes() for point in points})


oracle.value("different points in five calls for two", different_points, at_least=10)
