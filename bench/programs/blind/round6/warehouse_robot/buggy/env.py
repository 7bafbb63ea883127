import numpy as np

MOVES = np.array([[0, 1], [0, -1], [1, 0], [-1, 0]])


class Warehouse:
    """A robot on a grid walks to the shelf; the shelf moves every episode."""

    def __init__(self, size=5, max_steps=20, seed=0):
        self.size, self.max_steps = size, max_steps
        self.rng = np.random.default_rng(seed)
        self.state = np.zeros(4, dtype=np.float32)

    def reset(self):
        while True:
            robot, shelf = self.rng.integers(0, self.size, size=(2, 2))
            if (robot != shelf).any():
                break
        self.state = np.concatenate([robot, shelf]).astype(np.float32)
        self.steps = 0
        return self.state

    def step(self, action):
        self.state[:2] = np.clip(self.state[:2] + MOVES[action], 0, self.size - 1)
        self.steps += 1
        reached = bool((self.state[:2] == self.state[2:]).all())
        reward = 1.0 if reached else -0.05
        truncated = self.steps >= self.max_steps
        return self.state, reward, reached, truncated
