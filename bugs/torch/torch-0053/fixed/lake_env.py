"""A walk over a frozen lake in one line: the goal is at one end, a hole at the other."""

import random


class LakeWalk:
    """States 0 to 6; action 1 goes right, 0 left; ice sometimes turns a step around."""

    size, actions = 7, 2

    def __init__(self, seed, slip=0.1):
        self.random, self.slip = random.Random(seed), slip
        self.reset()

    def reset(self):
        self.state = 3
        return self.state

    def step(self, action):
        forward = action == 1
        if self.random.random() < self.slip:
            forward = not forward
        self.state += 1 if forward else -1
        done = self.state in (0, self.size - 1)
        reward = 1.0 if self.state == self.size - 1 else 0.0
        return self.state, reward, done
