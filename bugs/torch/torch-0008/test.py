"""Healthy: a few training steps take little processor time."""

import oracle
import verify_speakers

verify_speakers.run(steps=1)  # the first step also loads parts of the framework


def seconds(seed):
    return oracle.cpu_seconds(verify_speakers.run, seed, 3)


oracle.cost("processor seconds of three steps", seconds, ratio=5.0)
