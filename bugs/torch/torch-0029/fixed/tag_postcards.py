"""Guesses which of ten users sent a postcard, from the motif, the stamp and the length of the text.

Every user has an output of its own, as in detectors that decide for each class separately.
"""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

USERS, MOTIFS, STAMPS = 10, 24, 12


def deliver(count, generator):
    """``count`` postcards (motif, stamp, text length) and the users who sent them."""
    users = torch.arange(count) % USERS
    usual = torch.rand(count, generator=generator) < 0.97
    liked = 2 * users + torch.randint(3, (count,), generator=generator)
    motifs = torch.where(usual, liked, torch.randint(MOTIFS, (count,), generator=generator))
    stamps = torch.where(usual, users, torch.randint(STAMPS, (count,), generator=generator))
    lengths = (users % 5 - 2) / 1.5 + 0.4 * torch.randn(count, generator=generator)
    return TensorDataset(motifs, stamps, lengths, users)


class SenderModel(nn.Module):
    def __init__(self, dimension=8, hidden=32):
        super().__init__()
        self.motif = nn.Embedding(MOTIFS, dimension)
        self.stamp = nn.Embedding(STAMPS, dimension)
        self.hidden1 = nn.Linear(2 * dimension + 1, hidden)
        self.hidden2 = nn.Linear(hidden, hidden)
        self.output = nn.Linear(hidden, USERS)
        self.initialize()

    def initialize(self, prior=1 / USERS):
        """Starts every output at the share of cards that one user sends."""
        for name, parameter in self.named_parameters():
            if name == "output.bias":
                nn.init.constant_(parameter, math.log(prior / (1 - prior)))

    def forward(self, motifs, stamps, lengths):
        card = torch.cat([self.motif(motifs), self.stamp(stamps), lengths.unsqueeze(1)], dim=1)
        state = torch.relu(self.hidden1(card))
        return self.output(torch.relu(self.hidden2(state)))


def train_epoch(model, loader, criterion, optimizer):
    model.train()
    losses = []
    for *card, users in loader:
        targets = nn.functional.one_hot(users, USERS).float()
        loss = criterion(model(*card), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@torch.no_grad()
def accuracy(model, motifs, stamps, lengths, users):
    model.eval()
    return (model(motifs, stamps, lengths).argmax(dim=1) == users).float().mean().item()


def main(seed=0, epochs=10):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    loader = DataLoader(deliver(600, generator), batch_size=30, shuffle=True)
    held_out = deliver(300, generator).tensors
    model = SenderModel()
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for epoch in range(epochs):
        loss = train_epoch(model, loader, criterion, optimizer)
        print(f"epoch {epoch + 1:2d}: loss {loss:.4f}, held-out accuracy {accuracy(model, *held_out):.3f}")
    return loss


if __name__ == "__main__":
    main()
