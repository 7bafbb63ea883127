"""Predicts how many bicycles pass a counter in an hour from the weather and the time of day."""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def observe(hours, generator):
    """Features of ``hours`` hours (sine and cosine of the time, warmth, rain) and the counts."""
    time = 2 * math.pi * torch.rand(hours, generator=generator)
    warmth = torch.randn(hours, generator=generator)
    rain = (torch.rand(hours, generator=generator) < 0.3).float()
    rate = torch.exp(-0.4 - 1.3 * time.cos() + 0.3 * warmth - 0.8 * rain)
    counts = torch.poisson(rate, generator=generator)
    features = torch.stack([time.sin(), time.cos(), warmth, (rain - 0.3) / 0.46], dim=1)
    return features, counts


class CountModel(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.fc1 = nn.Linear(4, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.fc3 = nn.Linear(hidden, 1)

    def forward(self, features):
        state = torch.tanh(self.fc1(features))
        state = torch.tanh(self.fc2(state))
        return F.softplus(self.fc3(state)).squeeze(1)


def train(model, loader, criterion, optimizer):
    model.train()
    total = 0.0
    for features, counts in loader:
        optimizer.zero_grad()
        loss = criterion(model(features), counts)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(counts)
    return total / len(loader.dataset)


def test(model, features, counts, criterion):
    """Loss and mean absolute error on hours that were not trained on."""
    model.eval()
    with torch.no_grad():
        rates = model(features)
        return criterion(rates, counts).item(), (rates - counts).abs().mean().item()


def main(seed=0, epochs=15):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    loader = DataLoader(TensorDataset(*observe(640, generator)), batch_size=32, shuffle=True)
    test_hours = observe(320, generator)
    model = CountModel()
    criterion = nn.PoissonNLLLoss(log_input=False, full=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for epoch in range(1, epochs + 1):
        loss = train(model, loader, criterion, optimizer)
        test_loss, error = test(model, *test_hours, criterion)
        print(f"epoch {epoch:2d}: loss {loss:.4f}, test loss {test_loss:.4f}, test error {error:.3f}")
    return loss


if __name__ == "__main__":
    main()
