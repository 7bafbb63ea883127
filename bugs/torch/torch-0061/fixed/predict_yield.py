"""Predicts the yield of a field from soil and weather, read from a CSV table."""

import csv
import io

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def write_table(rows=300, seed=4):
    """The table as the weather service sends it."""
    rng = np.random.default_rng(seed)
    soil, rain, sun = rng.uniform(4, 8, rows), rng.gamma(4, 20, rows), rng.normal(200, 30, rows)
    grain = 2 + 0.4 * soil + 0.02 * rain - 0.0001 * rain**2 + 0.01 * sun + rng.normal(0, 0.2, rows)
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["soil", "rain", "sun", "yield"])
    writer.writerows(zip(soil, rain, sun, grain))
    return stream.getvalue()


def read_table(text):
    table = np.array([[float(cell) for cell in row] for row in list(csv.reader(io.StringIO(text)))[1:]])
    X, y = table[:, :-1], table[:, -1:]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X, y


def train(epochs=5, lr=0.01, batch_size=32):
    torch.manual_seed(0)
    X, y = read_table(write_table())
    X = torch.from_numpy(X).float()
    y = torch.tensor(y, dtype=torch.float32)
    loader = DataLoader(TensorDataset(X, y), batch_size=batch_size, shuffle=True)
    net = nn.Sequential(nn.Linear(X.shape[1], 16), nn.ReLU(), nn.Linear(16, 1))
    trainer = torch.optim.Adam(net.parameters(), lr=lr)
    loss = nn.MSELoss()
    for epoch in range(epochs):
        for _X, _y in loader:
            trainer.zero_grad()
            l = loss(net(_X), _y)
            l.backward()
            trainer.step()
        with torch.no_grad():
            print(f"epoch {epoch} train loss: {loss(net(X), y):.3f}")


if __name__ == "__main__":
    train()
