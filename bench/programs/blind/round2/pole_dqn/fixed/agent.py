import copy

import numpy as np
import torch
from torch import nn


class Replay:
    def __init__(self, size, dim):
        self.state = np.zeros((size, dim), np.float32)
        self.next_state = np.zeros((size, dim), np.float32)
        self.action = np.zeros(size, np.int64)
        self.reward = np.zeros(size, np.float32)
        self.terminal = np.zeros(size, np.float32)
        self.size, self.count = size, 0

    def add(self, state, action, reward, next_state, terminal):
        i = self.count % self.size
        self.state[i], self.next_state[i] = state, next_state
        self.action[i], self.reward[i], self.terminal[i] = action, reward, terminal
        self.count += 1

    def sample(self, n, rng):
        idx = rng.integers(0, min(self.count, self.size), n)
        return [torch.from_numpy(a[idx]) for a in
                (self.state, self.action, self.reward, self.next_state, self.terminal)]


class DQN:
    def __init__(self, dim, actions, lr=5e-4, gamma=0.98, tau=0.01):
        self.net = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(),
                                 nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, actions))
        self.target = copy.deepcopy(self.net)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.gamma, self.tau = gamma, tau

    @torch.no_grad()
    def act(self, state):
        return int(self.net(torch.from_numpy(state)).argmax())

    def learn(self, batch):
        state, action, reward, next_state, terminal = batch
        q = self.net(state).gather(1, action.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best_next = self.target(next_state).max(dim=1).values
            goal = reward + self.gamma * best_next * (1.0 - terminal)
        loss = nn.functional.smooth_l1_loss(q, goal)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
        self.optimizer.step()
        with torch.no_grad():
            for slow, fast in zip(self.target.parameters(), self.net.parameters()):
                slow.lerp_(fast, self.tau)
        return loss.item()
