"""DQN on a small grid island: reach the hut, walk around the rocks."""
import copy
import random
from collections import deque

import numpy as np
import torch
from torch import nn

GRID = ["S..#....",
        ".#.#.##.",
        ".#...#..",
        ".##.##.#",
        "....#...",
        ".##...#G"]
ROWS, COLS = len(GRID), len(GRID[0])
MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]


class Island:
    max_steps = 60

    def reset(self, start=(0, 0)):
        self.pos, self.steps = start, 0
        return self.observe()

    def observe(self):
        vec = np.zeros(ROWS * COLS, dtype=np.float32)
        vec[self.pos[0] * COLS + self.pos[1]] = 1.0
        return vec

    def step(self, action):
        self.steps += 1
        r, c = self.pos[0] + MOVES[action][0], self.pos[1] + MOVES[action][1]
        if 0 <= r < ROWS and 0 <= c < COLS and GRID[r][c] != "#":
            self.pos = (r, c)
        done = GRID[self.pos[0]][self.pos[1]] == "G"
        reward = 1.0 if done else -0.02
        return self.observe(), reward, done, self.steps >= self.max_steps


class Agent:
    def __init__(self, gamma=0.95, lr=2e-3):
        self.q = nn.Sequential(nn.Linear(ROWS * COLS, 64), nn.ReLU(), nn.Linear(64, len(MOVES)))
        self.target = copy.deepcopy(self.q)
        self.optimizer = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.gamma = gamma
        self.memory = deque(maxlen=5000)

    @torch.no_grad()
    def act(self, state, epsilon):
        if random.random() < epsilon:
            return random.randrange(len(MOVES))
        return self.q(torch.from_numpy(state)).argmax().item()

    def learn(self, batch_size=32):
        s, a, r, s2, done = zip(*random.sample(self.memory, batch_size))
        s, s2 = torch.from_numpy(np.stack(s)), torch.from_numpy(np.stack(s2))
        a, r = torch.tensor(a), torch.tensor(r)
        alive = 1.0 - torch.tensor(done, dtype=torch.float32)
        with torch.no_grad():
            goal = r + self.gamma * alive * self.target(s2).max(dim=1).values
        value = self.q(s).gather(1, a.unsqueeze(1)).squeeze(1)
        loss = nn.functional.smooth_l1_loss(value, goal)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def sync(self):
        self.target.load_state_dict(self.q.state_dict())


def run(env, agent, state, epsilon=0.0):
    total, over = 0.0, False
    while not over:
        state, reward, done, timeout = env.step(agent.act(state, epsilon))
        total += reward
        over = done or timeout
    return total


def main(episodes=160, sync_every=100, seed=0):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    free = [(r, c) for r in range(ROWS) for c in range(COLS) if GRID[r][c] in "S."]
    env, agent = Island(), Agent()
    losses = deque(maxlen=500)
    for episode in range(episodes):
        step = 0
        epsilon = max(0.1, 1.0 - episode / (0.5 * episodes))
        state, over = env.reset(random.choice(free)), False
        while not over:
            action = agent.act(state, epsilon)
            nxt, reward, done, timeout = env.step(action)
            agent.memory.append((state, action, reward, nxt, done))
            state, over = nxt, done or timeout
            step += 1
            if len(agent.memory) >= 500:
                losses.append(agent.learn())
            if step % sync_every == 0:
                agent.sync()
        if (episode + 1) % 40 == 0:
            score = np.mean([run(env, agent, env.reset(cell)) for cell in free])
            print(f"episode {episode + 1:3d} td loss {np.mean(losses):.4f} greedy return over all starts {score:.3f}")


if __name__ == "__main__":
    main()
