"""The steps that an agent remembers."""

from collections import deque

import numpy as np


class Memory:
    def __init__(self, size=2000, seed=0):
        self.steps = deque(maxlen=size)
        self.rng = np.random.default_rng(seed)

    def remember(self, observed, action, reward, following, ended):
        self.steps.append((observed, action, reward, following, ended))

    def sample(self, count):
        chosen = self.rng.choice(len(self.steps), count)
        observed, action, reward, following, ended = zip(*(self.steps[place] for place in chosen))
        return np.stack(observed), np.array(action), np.array(reward), np.stack(following), np.array(ended)
