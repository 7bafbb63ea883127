"""A task that never ends by itself: keep a value near zero. Every step near zero is worth one point."""

import numpy as np

ACTIONS = (-0.1, 0.0, 0.1)


class Balance:
    def __init__(self, longest=5, seed=0):
        self.longest = longest
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.value, self.steps = self.rng.uniform(-0.3, 0.3), 0
        return self._observed()

    def step(self, action):
        """The next observation, the reward, whether the value was lost, whether the time is up."""
        self.value += ACTIONS[action] + self.rng.normal(0.0, 0.02)
        self.steps += 1
        lost = abs(self.value) > 1.0
        return self._observed(), float(not lost), lost, self.steps >= self.longest

    def _observed(self):
        return np.array([self.value, 1.0], "float32")
