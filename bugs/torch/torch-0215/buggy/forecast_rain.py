"""Forecasts the next radar image from the last five."""

import torch
from torch import nn

from cell import ConvGRUCell
from radar import film

KERNEL = 4


class RainForecast(nn.Module):
    def __init__(self, hidden=8, kernel=KERNEL):
        super().__init__()
        self.cell = ConvGRUCell(1, hidden, kernel)
        self.output = nn.Conv2d(hidden, 1, 1)

    def forward(self, films):
        count, length, _, height, width = films.shape
        state = films.new_zeros(count, self.cell.hidden, height, width)
        for time in range(length):
            state = self.cell(films[:, time], state)
        return self.output(state)


def train(seed=0, epochs=5):
    torch.manual_seed(seed)
    model = RainForecast()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    films = film(24, seed)
    for epoch in range(epochs):
        for some in films.split(8):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(some[:, :-1]), some[:, -1])
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch + 1}: {loss.item():.4f}")
    return model


if __name__ == "__main__":
    train()
