"""Healthy: twelve epochs with a few small batches take little processor time."""

import oracle
import predict_tides


def seconds(seed):
    return oracle.cpu_seconds(predict_tides.train, seed)


oracle.cost("processor seconds", seconds, ratio=3.0, repeats=2)
