"""Trains a classifier of coins, prunes it and fine-tunes what is left."""

import torch
import torch.nn.functional as F
from torch import nn

from speedup import speedup_model

COINS = 5


def weigh(count, generator):
    """Weight, diameter, thickness and reflectance of coins, in units of their deviation."""
    coins = torch.arange(count) % COINS
    angle = 2 * torch.pi * coins / COINS
    measured = torch.stack([angle.cos(), angle.sin(), (2 * angle).cos(), (2 * angle).sin()], dim=1)
    return measured + 0.35 * torch.randn(count, 4, generator=generator), coins


class PruneNet(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.fc1 = nn.Linear(4, hidden)
        self.fc2 = nn.Linear(hidden, COINS)

    def forward(self, measured):
        return self.fc2(F.relu(self.fc1(measured)))


class Session:
    def __init__(self, data, lr=0.02):
        self.data = data
        self.model = PruneNet()
        self.lr = lr
        self.reset_optimizer()

    def reset_optimizer(self):
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=self.lr)

    def train(self, epochs, batch_size=50):
        measured, coins = self.data
        for _ in range(epochs):
            for rows in torch.randperm(len(coins)).split(batch_size):
                loss = F.cross_entropy(self.model(measured[rows]), coins[rows])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
        return loss.item()

    def prune(self, share):
        self.model = speedup_model(self.model, share)


def accuracy(model, measured, coins):
    with torch.no_grad():
        return (model(measured).argmax(dim=1) == coins).float().mean().item()


def main(seed=0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    session, held_out = Session(weigh(500, generator)), weigh(300, generator)
    session.train(epochs=8)
    print(f"trained:    {accuracy(session.model, *held_out):.3f}")
    session.prune(share=0.15)
    before = accuracy(session.model, *held_out)
    print(f"pruned:     {before:.3f}")
    session.train(epochs=15)
    after = accuracy(session.model, *held_out)
    print(f"fine-tuned: {after:.3f}")
    return after - before


if __name__ == "__main__":
    main()
