"""A point mass on a line that has to park at the goal."""
import numpy as np


class ParkingLine:
    """Observation: position, velocity, goal. Actions: push left, coast, push right."""

    def __init__(self, seed, horizon=40):
        self.rng = np.random.default_rng(seed)
        self.horizon = horizon
        self.state = None
        self.t = 0

    def reset(self):
        pos, goal = self.rng.uniform(-1, 1, size=2)
        self.state = np.array([pos, 0.0, goal], dtype=np.float32)
        self.t = 0
        return self.state

    def step(self, action):
        force = (action - 1) * 0.1
        self.state = self.state.copy()
        self.state[1] = 0.85 * self.state[1] + force
        self.state[0] += self.state[1]
        self.t += 1
        distance = abs(self.state[0] - self.state[2])
        off_road = abs(self.state[0]) > 2.0
        reward = -distance - 0.1 * abs(self.state[1])
        if off_road:
            reward -= 20.0
        truncated = self.t >= self.horizon
        return self.state, float(reward), bool(off_road), truncated
