import numpy as np
import torch

from agent import DQN, Replay
from env import PoleCart

STEPS = 8000
WARMUP = 500
REPORT = 1000


def evaluate(agent, episodes=10):
    env = PoleCart(seed=999)
    returns = []
    for _ in range(episodes):
        state, total, over = env.reset(), 0.0, False
        while not over:
            state, reward, fallen, timeout = env.step(agent.act(state))
            total += reward
            over = fallen or timeout
        returns.append(total)
    return float(np.mean(returns))


def main():
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    env = PoleCart(seed=1)
    agent = DQN(env.dim, env.actions)
    replay = Replay(10000, env.dim)
    losses = []
    state = env.reset()
    for step in range(1, STEPS + 1):
        epsilon = max(0.05, 1.0 - step / 2500)
        if rng.random() < epsilon:
            action = int(rng.integers(env.actions))
        else:
            action = agent.act(state)
        next_state, reward, fallen, timeout = env.step(action)
        replay.add(state, action, reward, next_state, fallen)
        state = env.reset() if fallen or timeout else next_state
        if step > WARMUP:
            losses.append(agent.learn(replay.sample(64, rng)))
        if step % REPORT == 0:
            print(f"step {step:6d}  loss {np.mean(losses):.4f}  "
                  f"mean return {evaluate(agent):.1f}")
            losses.clear()


if __name__ == "__main__":
    main()
