"""A damped pendulum that is pushed at random, as a table of transitions."""

import numpy as np


def roll_out(steps, seed, dt=0.1):
    rng = np.random.default_rng(seed)
    angle, speed = rng.uniform(-1.0, 1.0), 0.0
    rows = []
    for _ in range(steps):
        push = rng.uniform(-2.0, 2.0)
        before = (np.sin(angle), np.cos(angle), speed)
        speed += dt * (push - 4.0 * np.sin(angle) - 0.2 * speed)
        angle += dt * speed
        reward = -(angle**2 + 0.1 * speed**2)
        rows.append((before, (push,), (np.sin(angle), np.cos(angle), speed), (reward,)))
    return [np.array(column, dtype="float32") for column in zip(*rows)]
