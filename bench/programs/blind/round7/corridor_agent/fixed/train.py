import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

N_ENVS = 32
ROLLOUT = 10
UPDATES = 500
GAMMA = 0.97
ENTROPY = 0.01


class Corridors:
    """A hint is shown in the first cell; at the far end the agent has to turn to that side."""

    def __init__(self, n, seed=0):
        self.n = n
        self.rng = np.random.default_rng(seed)
        self.hint = np.zeros(n, dtype=int)
        self.left = np.zeros(n, dtype=int)
        self.fresh = np.ones(n, dtype=bool)
        self._restart(np.ones(n, dtype=bool))

    def _restart(self, which):
        k = which.sum()
        self.hint[which] = self.rng.integers(0, 2, k)
        self.left[which] = self.rng.integers(3, 6, k)
        self.fresh[which] = True

    def observe(self):
        obs = np.zeros((self.n, 4), dtype=np.float32)
        obs[np.arange(self.n), self.hint] = self.fresh
        obs[:, 2] = self.left == 0
        obs[:, 3] = 1.0
        return torch.from_numpy(obs)

    def step(self, action):
        done = self.left == 0
        reward = np.where(done, np.where(action == self.hint, 1.0, -1.0), 0.0)
        self.fresh[:] = False
        self.left -= 1
        self._restart(done)
        return self.observe(), reward.astype(np.float32), done.astype(np.float32)


class RecurrentAgent(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.cell = nn.GRUCell(4, hidden)
        self.pi = nn.Linear(hidden, 2)
        self.v = nn.Linear(hidden, 1)
        self.hidden = hidden

    def forward(self, obs, h):
        h = self.cell(obs, h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), h


def collect(env, agent, obs, h):
    logps, values, rewards, dones, entropies = [], [], [], [], []
    for _ in range(ROLLOUT):
        dist, value, h = agent(obs, h)
        action = dist.sample()
        obs, reward, done = env.step(action.numpy())
        logps.append(dist.log_prob(action))
        values.append(value)
        entropies.append(dist.entropy())
        rewards.append(torch.from_numpy(reward))
        dones.append(torch.from_numpy(done))
        h = h * (1.0 - dones[-1]).unsqueeze(1)
    with torch.no_grad():
        _, bootstrap, _ = agent(obs, h)
    ret, returns = bootstrap, []
    for r, d in zip(reversed(rewards), reversed(dones)):
        ret = r + GAMMA * ret * (1.0 - d)
        returns.insert(0, ret)
    batch = [torch.stack(v) for v in (logps, values, entropies, returns, rewards, dones)]
    return batch, obs, h.detach()


def main():
    torch.manual_seed(3)
    env = Corridors(N_ENVS, seed=3)
    agent = RecurrentAgent()
    opt = torch.optim.Adam(agent.parameters(), lr=3e-3)
    obs, h = env.observe(), torch.zeros(N_ENVS, agent.hidden)
    wins, games = 0.0, 0.0
    for update in range(1, UPDATES + 1):
        (logp, value, entropy, ret, rew, done), obs, h = collect(env, agent, obs, h)
        adv = (ret - value).detach()
        policy_loss = -(logp * adv).mean()
        value_loss = F.mse_loss(value, ret)
        loss = policy_loss + 0.5 * value_loss - ENTROPY * entropy.mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        opt.step()
        wins += (rew > 0).sum().item()
        games += done.sum().item()
        if update % 50 == 0:
            print(f"update {update:4d}  value loss {value_loss.item():.4f}  "
                  f"entropy {entropy.mean().item():.3f}  right turns {wins / games:.3f}")
            wins, games = 0.0, 0.0


if __name__ == "__main__":
    main()
