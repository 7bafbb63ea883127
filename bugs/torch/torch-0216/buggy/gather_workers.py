"""Trains a classifier with gradients that come from several workers."""

import torch
from torch import nn

from moons import two_moons
from server import Server


def work(model, points, labels):
    """What a worker sends: the gradients of its part of the batch."""
    loss = nn.functional.cross_entropy(model(points), labels)
    return torch.autograd.grad(loss, list(model.parameters()))


def train(seed=0, epochs=20, workers=3):
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 2))
    server = Server(model, rate=0.1, workers=workers)
    points, labels = two_moons(300, seed)
    for epoch in range(epochs):
        for rows in torch.randperm(len(points)).split(60):
            for part in rows.chunk(workers):
                server.receive(work(model, points[part], labels[part]))
            server.update()
    right = (model(points).argmax(1) == labels).float().mean()
    print(f"right: {right:.3f}")
    return model


if __name__ == "__main__":
    train()
