"""Sorts letters to a newspaper into praise, complaint and question by the words in them."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

CLASSES = ("praise", "complaint", "question")
VOCABULARY = 300
LENGTH = 20


def receive(count, generator, misfiled=0.1):
    """``count`` letters of LENGTH word numbers, and the trays into which they were put by hand."""
    kinds = torch.arange(count) % len(CLASSES)
    frequency = torch.ones(len(CLASSES), VOCABULARY)
    for kind in range(len(CLASSES)):
        frequency[kind, 60 * kind : 60 * kind + 60] = 5.0
    letters = torch.multinomial(frequency[kinds], LENGTH, replacement=True, generator=generator)
    other = (kinds + torch.randint(1, len(CLASSES), (count,), generator=generator)) % len(CLASSES)
    wrong = torch.rand(count, generator=generator) < misfiled
    return TensorDataset(letters, torch.where(wrong, other, kinds))


class LetterReader(nn.Module):
    def __init__(self, dimension=32, hidden=48, dropout_rate=0.0):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, dimension)
        self.hidden = nn.Linear(dimension, hidden)
        self.output = nn.Linear(hidden, len(CLASSES))
        self.dropout_words = nn.Dropout1d(dropout_rate)
        self.dropout = nn.Dropout(dropout_rate)

    def forward(self, letters):
        words = self.dropout_words(self.embedding(letters))
        features = F.relu(self.hidden(self.dropout(words.mean(dim=1))))
        return self.output(self.dropout(features))


def train(model, loader, optimizer):
    model.train()
    total = 0.0
    for letters, kinds in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(letters), kinds)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(kinds)
    return total / len(loader.dataset)


def evaluate(model, letters, kinds):
    model.eval()
    with torch.no_grad():
        scores = model(letters)
        accuracy = (scores.argmax(dim=1) == kinds).float().mean().item()
        return F.cross_entropy(scores, kinds).item(), accuracy


def main(seed=0, epochs=16):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    loader = DataLoader(receive(360, generator), batch_size=20, shuffle=True)
    dev_set = receive(300, generator).tensors
    model = LetterReader()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        loss = train(model, loader, optimizer)
        dev_loss, accuracy = evaluate(model, *dev_set)
        print(f"Epoch {epoch:2d}: train loss {loss:.4f}, dev loss {dev_loss:.4f}, dev accuracy {accuracy:.4f}")
    return dev_loss


if __name__ == "__main__":
    main()
