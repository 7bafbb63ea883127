"""Predicts in which of three ways a car will go on, from its state and the map around it."""

import torch
import torch.nn.functional as F
from torch import nn

MODES = 3


def drive(count, generator):
    """Speed, turn rate and distance to the crossing, and what the driver does."""
    state = 2 * torch.rand(count, 3, generator=generator) - 1
    speed, turn, distance = state.unbind(1)
    near = (distance + 0.5 * speed).abs() < 0.5
    mode = torch.where(near, torch.where(turn * speed > 0, 1, 2), 0)
    return state, mode


class Backbone(nn.Module):
    """Features of the map; here a fixed projection of the state."""

    def __init__(self, features=24):
        super().__init__()
        self.register_buffer("projection", 0.5 * torch.randn(3, features, generator=torch.Generator().manual_seed(5)))

    def forward(self, state):
        return state @ self.projection


class MTP(nn.Module):
    def __init__(self, backbone, feature_dim=24, n_hidden_layers=64):
        super().__init__()
        self.backbone = backbone
        self.fc1 = nn.Linear(feature_dim + 3, n_hidden_layers)
        self.fc2 = nn.Linear(n_hidden_layers, MODES)

    def forward(self, state):
        features = torch.cat([self.backbone(state), state], dim=1)
        return self.fc2(self.fc1(features))


def train(model, state, mode, epochs=20, batch_size=100):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        for rows in torch.randperm(len(state)).split(batch_size):
            loss = F.cross_entropy(model(state[rows]), mode[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1}: loss {loss.item():.3f}")


def main(seed=0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = MTP(Backbone())
    train(model, *drive(1500, generator))
    state, mode = drive(500, generator)
    with torch.no_grad():
        accuracy = (model(state).argmax(dim=1) == mode).float().mean().item()
    print(f"accuracy {accuracy:.3f}")
    return accuracy


if __name__ == "__main__":
    main()
