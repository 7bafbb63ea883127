import numpy as np
import torch
from torch import nn

N_ENVS = 16
STEPS = 64
UPDATES = 50
PASSES = 4
MINIBATCH = 256
CLIP = 0.2
GAMMA = 0.99
LAM = 0.95
LIMIT = 200


class PoleEnvs:
    """A batch of cart-and-pole systems which restart by themselves."""

    def __init__(self, n, seed):
        self.rng = np.random.default_rng(seed)
        self.n = n
        self.state = self.fresh(n)
        self.age = np.zeros(n, dtype=int)

    def observe(self):
        return self.state.copy()

    def fresh(self, k):
        return self.rng.uniform(-0.05, 0.05, size=(k, 4)).astype(np.float32)

    def step(self, action):
        x, v, th, w = self.state.T
        force = np.where(action == 1, 10.0, -10.0)
        sin, cos = np.sin(th), np.cos(th)
        temp = (force + 0.05 * w ** 2 * sin) / 1.1
        acc_th = (9.8 * sin - cos * temp) / (0.5 * (4 / 3 - 0.1 * cos ** 2 / 1.1))
        acc_x = temp - 0.05 * acc_th * cos / 1.1
        dt = 0.02
        self.state[:] = np.stack([x + dt * v, v + dt * acc_x, th + dt * w, w + dt * acc_th], axis=1)
        self.age += 1
        fell = (np.abs(self.state[:, 0]) > 2.4) | (np.abs(self.state[:, 2]) > 0.21)
        done = fell | (self.age >= LIMIT)
        lengths = self.age[done].tolist()
        self.state[done] = self.fresh(done.sum())
        self.age[done] = 0
        return self.state.copy(), np.ones(self.n, dtype=np.float32), done.astype(np.float32), lengths


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 2))
        self.critic = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 1))

    def forward(self, obs):
        return torch.distributions.Categorical(logits=self.actor(obs)), self.critic(obs).squeeze(-1)


def gae(rewards, values, starts, last_value, last_start):
    """starts[t] is 1 where the observation at step t is the first of an episode."""
    adv = torch.zeros_like(rewards)
    running = torch.zeros_like(last_value)
    for t in reversed(range(len(rewards))):
        if t == len(rewards) - 1:
            alive, next_value = 1.0 - last_start, last_value
        else:
            alive, next_value = 1.0 - starts[t + 1], values[t + 1]
        delta = rewards[t] + GAMMA * next_value * alive - values[t]
        running = delta + GAMMA * LAM * alive * running
        adv[t] = running
    return adv


def collect(envs, model, obs, start, finished):
    obs_buf, act_buf, logp_buf, val_buf, rew_buf, start_buf = [], [], [], [], [], []
    for _ in range(STEPS):
        dist, value = model(obs)
        action = dist.sample()
        next_obs, reward, done, lengths = envs.step(action.numpy())
        obs_buf.append(obs)
        act_buf.append(action)
        logp_buf.append(dist.log_prob(action))
        val_buf.append(value)
        rew_buf.append(torch.from_numpy(reward) * 0.1)
        start_buf.append(start)
        obs, start = torch.from_numpy(next_obs), torch.from_numpy(done)
        finished += lengths
    rollout = [torch.stack(b) for b in (obs_buf, act_buf, logp_buf, val_buf, rew_buf, start_buf)]
    return rollout, obs, start


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    envs = PoleEnvs(N_ENVS, seed=0)
    model = ActorCritic()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    obs, start = torch.from_numpy(envs.observe()), torch.ones(N_ENVS)
    finished = []

    for update in range(1, UPDATES + 1):
        with torch.no_grad():
            rollout, obs, start = collect(envs, model, obs, start, finished)
            o, a, logp, val, rew, starts = rollout
            adv = gae(rew, val, starts, model(obs)[1], start)
        o, a, logp, ret, adv = o.flatten(0, 1), a.flatten(), logp.flatten(), (adv + val).flatten(), adv.flatten()
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
        for _ in range(PASSES):
            for idx in torch.randperm(len(a)).split(MINIBATCH):
                dist, value = model(o[idx])
                ratio = (dist.log_prob(a[idx]) - logp[idx]).exp()
                clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
                policy_loss = -torch.min(ratio * adv[idx], clipped * adv[idx]).mean()
                value_loss = (value - ret[idx]).pow(2).mean()
                loss = policy_loss + 0.5 * value_loss - 0.005 * dist.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 0.5)
                optimizer.step()
        if update % 5 == 0:
            print(f"update {update}: value loss {value_loss.item():.3f}  "
                  f"mean length of last 50 episodes {np.mean(finished[-50:]):.1f}")


if __name__ == "__main__":
    main()
