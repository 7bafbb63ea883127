import math

import numpy as np


class PoleCart:
    """Cart with a pole; +1 for each step the pole stays up."""

    limit = 200
    dim, actions = 4, 2

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.state = self.rng.uniform(-0.05, 0.05, 4)
        self.steps = 0
        return self.state.astype(np.float32)

    def step(self, action):
        x, v, a, w = self.state
        force = 10.0 if action == 1 else -10.0
        temp = (force + 0.05 * w * w * math.sin(a)) / 1.1
        acc_a = (9.8 * math.sin(a) - math.cos(a) * temp) / (
            0.5 * (4.0 / 3.0 - 0.1 * math.cos(a) ** 2 / 1.1))
        acc_x = temp - 0.05 * acc_a * math.cos(a) / 1.1
        dt = 0.02
        self.state = np.array([x + dt * v, v + dt * acc_x, a + dt * w, w + dt * acc_a])
        self.steps += 1
        fallen = abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.209
        timeout = self.steps >= self.limit
        return self.state.astype(np.float32), 1.0, fallen, timeout
