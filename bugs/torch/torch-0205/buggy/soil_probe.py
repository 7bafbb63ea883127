"""Estimates the moisture of soil from six readings of a probe."""

import torch
from torch import nn


def probes(count, seed):
    generator = torch.Generator().manual_seed(seed)
    readings = torch.rand(count, 6, generator=generator) * 2 - 1
    moisture = torch.sin(3 * readings[:, 0] * readings[:, 1]) + readings[:, 2] * readings[:, 3] - readings[:, 4] ** 2
    return readings, moisture.unsqueeze(1)


class Block(nn.Module):

    def __init__(self, width):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))

    def forward(self, x):
        return x + self.inner(x)


class MoistureNet(nn.Module):

    def __init__(self, readings=6, width=32, blocks=3):
        super().__init__()
        self.enter = nn.Linear(readings, width)
        self.blocks = [Block(width) for _ in range(blocks)]
        self.leave = nn.Linear(width, 1)

    def forward(self, x):
        x = self.enter(x)
        for block in self.blocks:
            x = block(x)
        return self.leave(x)


def train(seed=0, steps=220):
    torch.manual_seed(seed)
    readings, moisture = probes(800, seed)
    model = MoistureNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(steps):
        rows = torch.randint(len(readings), (64,))
        loss = nn.functional.mse_loss(model(readings[rows]), moisture[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            print("step %d: loss %.4f" % (step, loss.item()))
    return model


if __name__ == "__main__":
    model = train()
    readings, moisture = probes(400, 77)
    with torch.no_grad():
        error = nn.functional.mse_loss(model(readings), moisture).item()
    print("error on new probes %.4f, variance of the moisture %.4f" % (error, moisture.var().item()))
