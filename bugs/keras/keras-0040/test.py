"""Healthy: the network is trained for all the epochs that are asked for."""

import oracle
import tide_forecast


def steps_done(seed):
    return int(tide_forecast.train(seed).optimizer.iterations.numpy())


oracle.value("steps of twelve epochs of 32 steps", steps_done, equals=384)
