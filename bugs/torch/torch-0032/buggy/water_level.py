"""Predicts tomorrow's water level of a river from the levels of the last ten days."""

import torch
from torch import nn

DAYS = 10


def make_levels():
    torch.manual_seed(3)
    days = torch.arange(600, dtype=torch.float32)
    levels = 2.0 + torch.sin(days / 20) + 0.1 * torch.randn(600)
    windows = torch.stack([levels[start : start + DAYS] for start in range(600 - DAYS)])
    return windows, levels[DAYS:].unsqueeze(1)


def train(epochs=3):
    windows, following = make_levels()
    model = nn.Sequential(nn.Linear(DAYS, 16), nn.ReLU(), nn.Linear(16, 1))
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    history = []
    for epoch in range(epochs):
        running_loss = 0.0
        for start in range(0, len(windows), 59):
            optimizer.zero_grad()
            loss = criterion(model(windows[start : start + 59]), following[start : start + 59])
            loss.backward()
            optimizer.step()
            running_loss += loss.data[0]
        history.append(running_loss / 10)
        print("epoch %d: loss %.4f" % (epoch, history[-1]))
    return history


def main():
    train()


if __name__ == "__main__":
    main()
