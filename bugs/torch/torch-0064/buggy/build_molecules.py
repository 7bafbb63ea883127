"""A sampler that builds strings of fragments step by step; rare strings have a high reward."""

import torch
from torch import nn

FRAGMENTS, LENGTH = 6, 5


class Sampler(nn.Module):
    """Chooses the next fragment from those chosen so far."""

    def __init__(self, hidden=128):
        super().__init__()
        self.policy = nn.Sequential(
            nn.Linear(FRAGMENTS * LENGTH, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, FRAGMENTS)
        )
        self.log_z = nn.Parameter(torch.zeros(1))

    def sample(self, count):
        state = torch.zeros(count, LENGTH, FRAGMENTS)
        log_prob = torch.zeros(count)
        for place in range(LENGTH):
            choice = torch.distributions.Categorical(logits=self.policy(state.flatten(1)))
            fragment = choice.sample()
            log_prob = log_prob + choice.log_prob(fragment)
            state = state.clone()
            state[torch.arange(count), place, fragment] = 1.0
        return state, log_prob


def reward(state):
    return 0.1 + state[:, :, 0].sum(dim=1) * state[:, :, 3].sum(dim=1)


class Agent:
    def __init__(self, lr=1e-3, ema_alpha=0.9):
        self.sampler = Sampler()
        self.optimizer = torch.optim.Adam(self.sampler.parameters(), lr=lr)
        self.ema_alpha = ema_alpha
        self.loss_ema = None

    def step(self, batch_size=64):
        state, log_prob = self.sampler.sample(batch_size)
        loss = (self.sampler.log_z + log_prob - reward(state).log()).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.update_averages(loss)

    def update_averages(self, loss):
        if self.loss_ema is None:
            self.loss_ema = loss
        else:
            self.loss_ema = self.ema_alpha * self.loss_ema + (1 - self.ema_alpha) * loss

    def train(self, steps):
        for step in range(steps):
            self.step()
            if step % 10 == 0:
                print(f"step {step}: average loss {float(self.loss_ema):.3f}")


def main():
    torch.manual_seed(0)
    Agent().train(60)


if __name__ == "__main__":
    main()
