"""Double DQN for the parking task."""
import copy
import random
from collections import deque

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from env import ParkingLine

GAMMA = 0.95
EPISODES = 150
BATCH = 64
N_ACTIONS = 3


def q_network():
    return nn.Sequential(nn.Linear(3, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(),
                         nn.Linear(64, N_ACTIONS))


class Replay:
    def __init__(self, size):
        self.items = deque(maxlen=size)

    def add(self, *transition):
        self.items.append(transition)

    def sample(self, n):
        s, a, r, s2, d = zip(*random.sample(self.items, n))
        return (torch.from_numpy(np.stack(s)), torch.tensor(a), torch.tensor(r),
                torch.from_numpy(np.stack(s2)), torch.tensor(d, dtype=torch.float32))


def act(net, obs, eps=0.0):
    if random.random() < eps:
        return random.randrange(N_ACTIONS)
    with torch.no_grad():
        return int(net(torch.from_numpy(obs)).argmax())


def learn(net, target, opt, batch):
    s, a, r, s2, done = batch
    with torch.no_grad():
        best = net(s2).argmax(dim=1, keepdim=True)
        y = r + GAMMA * (1 - done) * target(s2).gather(1, best).squeeze(1)
    q = net(s).gather(1, a.unsqueeze(1)).squeeze(1)
    loss = F.smooth_l1_loss(q, y)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 10.0)
    opt.step()
    return loss.item()


def evaluate(net, episodes=30):
    env = ParkingLine(seed=12345)
    returns, final = [], []
    for _ in range(episodes):
        obs, total, over = env.reset(), 0.0, False
        while not over:
            obs, reward, done, truncated = env.step(act(net, obs))
            total += reward
            over = done or truncated
        returns.append(total)
        final.append(abs(obs[0] - obs[2]))
    return np.mean(returns), np.mean(final)


def main():
    torch.manual_seed(0)
    random.seed(0)
    env = ParkingLine(seed=0)
    net = q_network()
    target = copy.deepcopy(net)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    replay = Replay(20000)
    losses, steps = deque(maxlen=500), 0

    for episode in range(1, EPISODES + 1):
        eps = max(0.05, 1.0 - episode / 80)
        obs, over = env.reset(), False
        while not over:
            action = act(net, obs, eps)
            next_obs, reward, done, truncated = env.step(action)
            replay.add(obs, action, reward, next_obs, done)
            obs = next_obs
            over = done or truncated
            steps += 1
            if len(replay.items) >= 500:
                losses.append(learn(net, target, opt, replay.sample(BATCH)))
            if steps % 200 == 0:
                target.load_state_dict(net.state_dict())
        if episode % 25 == 0:
            ret, dist = evaluate(net)
            print(f"episode {episode:3d}  td loss {np.mean(losses):.4f}  "
                  f"return {ret:.2f}  final distance {dist:.3f}")


if __name__ == "__main__":
    main()
