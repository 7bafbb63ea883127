"""Names the bird with the loudest call of a recording."""

import torch
from torch import nn

from attention import AttentionPool
from recordings import BIRDS, recordings


class LoudestBird(nn.Module):

    def __init__(self):
        super().__init__()
        self.pool = AttentionPool(features=2 + BIRDS)
        self.output = nn.Linear(24, BIRDS)

    def forward(self, calls, filled):
        return self.output(self.pool(calls, filled))


def accuracy(model, calls, filled, answer):
    with torch.no_grad():
        return (model(calls, filled).argmax(1) == answer).float().mean().item()


def train(seed=0, epochs=30):
    torch.manual_seed(seed)
    calls, filled, answer = recordings(600, seed)
    model = LoudestBird()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        for rows in torch.randperm(len(calls)).split(30):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(calls[rows], filled[rows]), answer[rows])
            loss.backward()
            optimizer.step()
        if epoch % 10 == 9:
            print("epoch %d: accuracy %.2f" % (epoch + 1, accuracy(model, calls, filled, answer)))
    return model


if __name__ == "__main__":
    trained = train()
    print("new recordings: %.2f" % accuracy(trained, *recordings(300, seed=500)))
