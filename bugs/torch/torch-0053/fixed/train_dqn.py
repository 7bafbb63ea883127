"""Learns action values of the lake walk with a small Q network and a target network."""

import copy
import random

import torch
from torch import nn

from lake_env import LakeWalk
from replay import ReplayBuffer

GAMMA = 0.9


class QNet(nn.Module):
    def __init__(self, states, actions, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Embedding(states, hidden), nn.ReLU(), nn.Linear(hidden, actions))

    def forward(self, states):
        return self.body(states)


def td_loss(online, target, batch):
    states, actions, rewards, next_states, dones = batch
    values = online(states).gather(1, actions.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        following = target(next_states).max(dim=1).values
        expected = rewards + GAMMA * following * (1 - dones)
    return nn.functional.smooth_l1_loss(values, expected)


def train(seed=0, steps=1500, epsilon=0.4, batch_size=32):
    torch.manual_seed(seed)
    env, chooser, buffer = LakeWalk(seed), random.Random(seed + 1), ReplayBuffer(seed=seed + 2)
    online = QNet(env.size, env.actions)
    target = copy.deepcopy(online)
    optimizer = torch.optim.Adam(online.parameters(), lr=5e-3)
    state = env.reset()
    for step in range(steps):
        greedy = int(online(torch.tensor([state])).argmax())
        action = chooser.randrange(env.actions) if chooser.random() < epsilon else greedy
        next_state, reward, done = env.step(action)
        buffer.push(state, action, reward, next_state, done)
        state = env.reset() if done else next_state
        if len(buffer) >= batch_size:
            loss = td_loss(online, target, buffer.sample(batch_size))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if step % 20 == 0:
            target.load_state_dict(online.state_dict())
    return online


def main(seed=0):
    online = train(seed)
    with torch.no_grad():
        values = online(torch.arange(1, LakeWalk.size - 1)).max(dim=1).values
    print("values of the states:", " ".join(f"{value:.2f}" for value in values.tolist()))
    return values[-1].item()


if __name__ == "__main__":
    main()
