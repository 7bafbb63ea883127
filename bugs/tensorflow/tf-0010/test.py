"""Healthy: a short training run on a tiny network takes a fraction of a processor second."""

import denoise_waves
import oracle


def seconds(seed):
    return oracle.cpu_seconds(denoise_waves.main, seed)


oracle.cost("processor seconds", seconds, ratio=3.0, repeats=5)
