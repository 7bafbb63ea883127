"""Predicts from the string of a molecule whether it is polar."""

import math

import torch
import torch.nn.functional as F
from torch import nn

ATOMS = "CONF"
LENGTH = 8


def synthesize(count, generator):
    """Chains of atoms; polar are those with more oxygen and nitrogen in one half than in the other."""
    chains = torch.randint(len(ATOMS), (count, LENGTH), generator=generator)
    hetero = ((chains == 1) | (chains == 2)).float()
    left, right = hetero[:, : LENGTH // 2].sum(dim=1), hetero[:, LENGTH // 2 :].sum(dim=1)
    return chains, (left > right).long()


class PositionalEncoding(nn.Module):
    """Adds sine and cosine waves of the position."""

    def __init__(self, dim, longest=64):
        super().__init__()
        position = torch.arange(longest).unsqueeze(1)
        rate = torch.exp(torch.arange(0, dim, 2) * (-math.log(100.0) / dim))
        table = torch.zeros(longest, dim)
        table[:, 0::2] = torch.sin(position * rate)
        table[:, 1::2] = torch.cos(position * rate)
        self.register_buffer("table", table)

    def forward(self, x):
        return x + self.table[: x.shape[1]]


class PolarityNet(nn.Module):
    def __init__(self, dim=24, heads=3):
        super().__init__()
        self.embed = nn.Embedding(len(ATOMS), dim)
        layer = nn.TransformerEncoderLayer(dim, heads, dim_feedforward=48, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=1, enable_nested_tensor=False)
        self.out = nn.Linear(dim, 2)

    def forward(self, chains):
        x = self.embed(chains)
        x = self.encoder(x)
        return self.out(x.mean(dim=1))


def train(model, chains, polar, epochs=15, batch_size=64):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        for rows in torch.randperm(len(chains)).split(batch_size):
            loss = F.cross_entropy(model(chains[rows]), polar[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1}: loss {loss.item():.3f}")


def main(seed=0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = PolarityNet()
    train(model, *synthesize(800, generator))
    chains, polar = synthesize(300, generator)
    with torch.no_grad():
        accuracy = (model(chains).argmax(dim=1) == polar).float().mean().item()
    print(f"accuracy {accuracy:.3f}")
    return accuracy


if __name__ == "__main__":
    main()
