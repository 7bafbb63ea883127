"""Fits a curve and watches the gradients on the way."""

import torch
from torch import nn

from training import Training
from watching import NormWatcher


def main(seed=0, steps=120):
    torch.manual_seed(seed)
    inputs = torch.rand(400, 1) * 6 - 3
    targets = torch.sin(2 * inputs) + 0.05 * torch.randn(400, 1)
    model = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
    watcher = NormWatcher()
    training = Training(model, torch.optim.Adam(model.parameters(), lr=0.02), [watcher])
    for _ in range(steps):
        rows = torch.randint(400, (40,))
        training.step(inputs[rows], targets[rows])
    watcher.show(every=30)
    return watcher


if __name__ == "__main__":
    main()
