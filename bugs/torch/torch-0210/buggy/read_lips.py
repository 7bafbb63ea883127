"""Reads sounds from films of a mouth."""

import torch
from torch import nn

from films import SOUNDS, record
from front_end import FrontEnd


class LipReader(nn.Module):
    def __init__(self, size=24):
        super().__init__()
        self.front_end = FrontEnd(size)
        self.memory = nn.GRU(size, 16, batch_first=True)
        self.sound = nn.Linear(16, len(SOUNDS))

    def forward(self, films):
        _, state = self.memory(self.front_end(films))
        return self.sound(state[-1])


def train(seed=0, epochs=6):
    torch.manual_seed(seed)
    model = LipReader()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    films, sounds = record(80, seed)
    for epoch in range(epochs):
        for rows in torch.randperm(len(films)).split(16):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(films[rows]), sounds[rows])
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch + 1}: {loss.item():.3f}")
    return model


if __name__ == "__main__":
    train()
