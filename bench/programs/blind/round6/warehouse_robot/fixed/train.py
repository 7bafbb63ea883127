import random
from collections import deque

import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

from env import Warehouse

GAMMA = 0.95
BATCH = 64
EPISODES = 500


def build_q():
    return nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 4))


def observe(state):
    return torch.as_tensor(np.asarray(state), dtype=torch.float32) / 2.0 - 1.0


@torch.no_grad()
def act(q, state, eps):
    if random.random() < eps:
        return random.randrange(4)
    return int(q(observe(state)).argmax())


def learn(q, target, optimizer, memory):
    s, a, r, s2, done = zip(*random.sample(memory, BATCH))
    s, s2 = observe(np.stack(s)), observe(np.stack(s2))
    a = torch.tensor(a)
    r = torch.tensor(r)
    done = torch.tensor(done, dtype=torch.float32)
    with torch.no_grad():
        best = q(s2).argmax(1, keepdim=True)
        goal = r + GAMMA * (1 - done) * target(s2).gather(1, best).squeeze(1)
    loss = F.smooth_l1_loss(q(s).gather(1, a[:, None]).squeeze(1), goal)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def evaluate(q, episodes=100):
    env = Warehouse(seed=999)
    wins = 0
    for _ in range(episodes):
        state, over = env.reset(), False
        while not over:
            state, _, reached, truncated = env.step(act(q, state, 0.0))
            over = reached or truncated
        wins += reached
    return wins / episodes


def main():
    random.seed(0)
    torch.manual_seed(0)
    env = Warehouse(seed=1)
    q, target = build_q(), build_q()
    target.load_state_dict(q.state_dict())
    optimizer = torch.optim.Adam(q.parameters(), lr=1e-3)
    memory = deque(maxlen=10000)
    steps, losses = 0, []
    for episode in range(1, EPISODES + 1):
        eps = max(0.1, 1.0 - episode / 250)
        state, over = env.reset(), False
        while not over:
            action = act(q, state, eps)
            nxt, reward, reached, truncated = env.step(action)
            memory.append((state, action, reward, nxt, reached))
            state, over = nxt, reached or truncated
            steps += 1
            if len(memory) >= 500:
                losses.append(learn(q, target, optimizer, memory))
            if steps % 200 == 0:
                target.load_state_dict(q.state_dict())
        if episode % 100 == 0:
            print(f"episode {episode}  td loss {np.mean(losses[-300:]):.4f}  success rate {evaluate(q):.2f}")


if __name__ == "__main__":
    main()
