"""Finds a key word in recordings; features are computed with NumPy, the network is small."""

import torch
from torch import nn
from torch.utils.data import DataLoader

from word_corpus import WordCorpus


class Spotter(nn.Module):
    def __init__(self, bands=20, words=3):
        super().__init__()
        self.rnn = nn.GRU(bands, 16, batch_first=True)
        self.out = nn.Linear(16, words)

    def forward(self, features):
        outputs, _ = self.rnn(features)
        return self.out(outputs[:, -1])


def train(corpus, epochs=8, batch_size=20):
    model = Spotter()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    loader = DataLoader(corpus, batch_size=batch_size, shuffle=True)
    for epoch in range(epochs):
        for features, words in loader:
            loss = nn.functional.cross_entropy(model(features), words)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.3f}")
    return model


if __name__ == "__main__":
    torch.manual_seed(0)
    train(WordCorpus(60))
