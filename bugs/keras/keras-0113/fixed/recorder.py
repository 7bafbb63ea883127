"""Recordings of trips. A reading is the speed and its change since the last one."""

import numpy as np

READINGS = 2
LONGEST = 120


def record_trip(by_bus, rng):
    """A bus is quick at first and waits at the end, a bicycle the other way round."""
    steps = rng.integers(3, 9)
    trend = np.linspace(1.0, -1.0, steps) * (1.0 if by_bus else -1.0)
    speed = 0.6 * trend + rng.normal(0.0, 0.25, steps)
    return np.stack([speed, np.diff(speed, prepend=speed[0])], axis=1)


def record_trips(count, seed):
    rng = np.random.default_rng(seed)
    by_bus = rng.integers(0, 2, count)
    return [record_trip(kind, rng) for kind in by_bus], by_bus
