"""Estimates the monthly rent of a flat from its size and its distance to the centre."""

import torch
from torch import nn


def list_flats(count, generator):
    """Standardised size and distance of ``count`` flats, and their rents in units of 100."""
    features = torch.randn(count, 2, generator=generator)
    rents = 10 + 9 * features[:, 0] - 2 * features[:, 1]
    return features, rents + torch.randn(count, generator=generator)


class RentModel(nn.Module):
    """One hidden layer beside a straight line, so that it can bend where the market does."""

    def __init__(self, hidden=16):
        super().__init__()
        self.line = nn.Linear(2, 1)
        self.bend = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, features):
        return self.line(features) + self.bend(features)


def squared_error(estimates, rents):
    return (estimates - rents).pow(2).mean()


def train(model, features, rents, epochs=40, batch_size=20):
    """Trains the model in place and returns the mean loss of every epoch."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    history = []
    for _ in range(epochs):
        total = 0.0
        batches = torch.randperm(len(features)).split(batch_size)
        for batch in batches:
            loss = squared_error(model(features[batch]), rents[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        history.append(total / len(batches))
    return history


@torch.no_grad()
def explained(model, features, rents):
    """The share of the variance of the rents that the estimates explain."""
    residuals = rents - model(features).flatten()
    return (1 - residuals.var() / rents.var()).item()


def run(seed=0):
    """Trains on 100 flats; returns the losses and the variance explained on 200 others."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = RentModel()
    history = train(model, *list_flats(100, generator))
    return history, explained(model, *list_flats(200, generator))


if __name__ == "__main__":
    losses, share = run()
    for epoch in range(0, len(losses), 10):
        print("epoch %2d: loss %.2f" % (epoch, losses[epoch]))
    print("variance explained on other flats: %.3f" % share)
