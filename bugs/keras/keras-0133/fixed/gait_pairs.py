"""Pairs of gait recordings: two noisy windows of the same walker belong together."""

import numpy as np

WINDOW = 48


def walkers(count, seed):
    """One period, phase and harmonic mixture for each walker."""
    rng = np.random.default_rng(seed)
    return rng.uniform(2.0, 6.0, count), rng.uniform(0.2, 1.0, (count, 3))


def record(walker, rng):
    """A window of every walker, begun at a random moment."""
    steps, mixture = walker
    t = np.linspace(0.0, 1.0, WINDOW) + rng.uniform(0.0, 0.15, (len(steps), 1))
    waves = [mixture[:, k, None] * np.sin(2 * np.pi * (k + 1) * steps[:, None] * t) for k in range(3)]
    window = sum(waves) + rng.normal(0.0, 0.1, (len(steps), WINDOW))
    return window[..., None].astype("float32")


def make_pairs(count, seed):
    rng = np.random.default_rng(seed + 1000)
    people = walkers(count, seed)
    return record(people, rng), record(people, rng)
