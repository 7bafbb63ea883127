"""Learn the long-run value of the states of a service desk with n-step TD.

The desk earns a fee for every customer served and pays for everyone who waits.
The exact values of this small chain are known, so the estimate can be checked.
"""
import copy
from collections import deque

import numpy as np
import torch
from torch import nn

CAPACITY = 12          # longest queue
GAMMA = 0.9
N_STEPS = 4
ARRIVE, SERVE = 0.45, 0.5


def transition_matrix():
    p = np.zeros((CAPACITY + 1, CAPACITY + 1))
    for s in range(CAPACITY + 1):
        up = ARRIVE if s < CAPACITY else 0.0
        down = SERVE if s > 0 else 0.0
        if s < CAPACITY:
            p[s, s + 1] = up
        if s > 0:
            p[s, s - 1] = down
        p[s, s] = 1 - up - down
    return p


def reward(state, next_state):
    fee = 2.0 if next_state < state else 0.0
    return fee - 0.25 * state


def exact_values(p):
    n = len(p)
    r = np.array([sum(p[s, t] * reward(s, t) for t in range(n)) for s in range(n)])
    return np.linalg.solve(np.eye(n) - GAMMA * p, r)


def features(states):
    s = torch.as_tensor(states, dtype=torch.float32).unsqueeze(-1) / CAPACITY
    return torch.cat([s, s ** 2, torch.sin(3 * s), torch.cos(3 * s)], dim=-1)


def collect(p, n_transitions, rng):
    """Walk through the chain and store n-step transitions (state, return, state after n steps)."""
    starts, returns, ends = [], [], []
    state, window = 0, deque()
    while len(starts) < n_transitions:
        if rng.random() < 0.05:        # look at all parts of the chain
            state, window = int(rng.integers(CAPACITY + 1)), deque()
        nxt = int(rng.choice(len(p), p=p[state]))
        window.append((state, reward(state, nxt)))
        if len(window) == N_STEPS:
            g = sum(GAMMA ** k * r for k, (_, r) in enumerate(window))
            starts.append(window[0][0])
            returns.append(g)
            ends.append(nxt)
            window.popleft()
        state = nxt
    return np.array(starts), torch.tensor(returns, dtype=torch.float32), np.array(ends)


def main():
    torch.manual_seed(3)
    rng = np.random.default_rng(3)
    p = transition_matrix()
    truth = torch.tensor(exact_values(p), dtype=torch.float32)
    starts, returns, ends = collect(p, 20000, rng)
    x_start, x_end = features(starts), features(ends)
    x_all = features(np.arange(CAPACITY + 1))

    net = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
    target_net = copy.deepcopy(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4000, eta_min=1e-5)

    running = 0.0
    for step in range(1, 4001):
        idx = torch.from_numpy(rng.integers(0, len(starts), size=128))
        with torch.no_grad():
            bootstrap = target_net(x_end[idx]).squeeze(-1)
            target = returns[idx] + GAMMA ** N_STEPS * bootstrap
        loss = nn.functional.mse_loss(net(x_start[idx]).squeeze(-1), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        running += loss.item()
        if step % 100 == 0:
            target_net.load_state_dict(net.state_dict())
        if step % 500 == 0:
            with torch.no_grad():
                rmse = (net(x_all).squeeze(-1) - truth).pow(2).mean().sqrt().item()
            print(f"step {step}: td loss {running / 500:.3f}  value rmse {rmse:.3f}")
            running = 0.0

    with torch.no_grad():
        values = net(x_all).squeeze(-1)
    print("queue  learned   exact")
    for s in range(0, CAPACITY + 1, 3):
        print(f"{s:5d} {values[s]:8.2f} {truth[s]:8.2f}")


if __name__ == "__main__":
    main()
