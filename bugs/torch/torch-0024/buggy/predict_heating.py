"""Predicts how much heat a building needs from its shape, its windows and its insulation."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

FEATURES = ("surface", "height", "glazing", "wall", "roof", "wind")


def survey(count, generator):
    """Standardized features of ``count`` buildings and their standardized heat demand."""
    features = torch.randn(count, len(FEATURES), generator=generator)
    surface, height, glazing, wall, roof, wind = features.unbind(dim=1)
    demand = 1.2 * surface + 0.5 * height + 0.8 * glazing + 0.4 * wind.abs() - 0.7 * wall - 0.6 * torch.relu(roof)
    demand = demand + 0.3 * torch.randn(count, generator=generator)
    return features, ((demand - demand.mean()) / demand.std()).unsqueeze(1)


class HeatModel(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(len(FEATURES), hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, 1),
        )
        self.apply(self.initialize)

    @staticmethod
    def initialize(module):
        if isinstance(module, nn.Linear):
            nn.init.zeros_(module.weight)
            nn.init.zeros_(module.bias)

    def forward(self, features):
        return self.layers(features)


def fit(model, loader, test_set, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.006)
    criterion = nn.MSELoss()
    for epoch in range(epochs):
        model.train()
        losses = []
        for features, demand in loader:
            loss = criterion(model(features), demand)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            test_error = criterion(model(test_set[0]), test_set[1]).item()
        print(f"epoch {epoch + 1:2d}  mse {sum(losses) / len(losses):.4f}  test mse {test_error:.4f}")
    return test_error


def main(seed=0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    loader = DataLoader(TensorDataset(*survey(640, generator)), batch_size=40, shuffle=True)
    return fit(HeatModel(), loader, survey(256, generator), epochs=12)


if __name__ == "__main__":
    main()
