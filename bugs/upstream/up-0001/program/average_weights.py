"""A classifier with batch normalization, and the moving average of its weights that is used to predict."""

import torch
from ema_pytorch import EMA
from torch import nn


def make_points(count):
    points = 5 + torch.randn(count, 4)
    labels = (points @ torch.tensor([1.0, 1.0, 0.5, -0.5]) > 10).float()
    return points, labels


def train(steps=300):
    model = nn.Sequential(nn.BatchNorm1d(4), nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
    average = EMA(model, beta=0.95, update_after_step=10, update_every=1)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    points, labels = make_points(256)
    for _ in range(steps):
        rows = torch.randint(0, len(points), (64,))
        loss = nn.functional.binary_cross_entropy_with_logits(model(points[rows]).squeeze(1), labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update()
    return model, average


def accuracy(network, points, labels):
    network.eval()
    with torch.no_grad():
        return ((network(points).squeeze(1) > 0).float() == labels).float().mean().item()


def main():
    torch.manual_seed(0)
    model, average = train()
    points, labels = make_points(1000)
    print("model  ", accuracy(model, points, labels))
    print("average", accuracy(average.ema_model, points, labels))


if __name__ == "__main__":
    main()
