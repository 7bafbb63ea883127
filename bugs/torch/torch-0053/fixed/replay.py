import random
from collections import deque

import torch


class ReplayBuffer:
    def __init__(self, capacity=2000, seed=0):
        self.memory, self.random = deque(maxlen=capacity), random.Random(seed)

    def push(self, *transition):
        self.memory.append(transition)

    def sample(self, count):
        states, actions, rewards, next_states, dones = zip(*self.random.sample(self.memory, count))
        return (
            torch.tensor(states),
            torch.tensor(actions),
            torch.tensor(rewards),
            torch.tensor(next_states),
            torch.tensor(dones, dtype=torch.float32),
        )

    def __len__(self):
        return len(self.memory)
