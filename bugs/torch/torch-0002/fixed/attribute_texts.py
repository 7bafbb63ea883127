"""Says which of three authors wrote a text, given as a sequence of word numbers.

The authors share one vocabulary; each has some favourite words that come up more often.
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

AUTHORS = 3
VOCABULARY = 120
LENGTH = 16


def write_texts(count, generator):
    """``count`` texts of LENGTH words, and the number of the author of each."""
    authors = torch.randint(AUTHORS, (count,), generator=generator)
    favour = torch.ones(AUTHORS, VOCABULARY)
    for author in range(AUTHORS):
        favour[author, author * 30 : author * 30 + 30] = 4.0
    texts = torch.multinomial(favour[authors], LENGTH, replacement=True, generator=generator)
    return texts + 1, authors


class AuthorModel(nn.Module):
    def __init__(self, embedding=24, hidden=32):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY + 1, embedding, padding_idx=0)
        self.lstm = nn.LSTM(embedding, hidden, batch_first=True)
        self.hidden = nn.Linear(hidden, 32)
        self.output = nn.Linear(32, AUTHORS)

    def forward(self, texts):
        words = self.embedding(texts)
        _, (state, _) = self.lstm(words)
        state = F.relu(self.hidden(state))
        return self.output(state)


def train(model, texts, authors, epochs=6):
    """Trains the model in place and returns the loss at the end of every epoch."""
    loader = DataLoader(TensorDataset(texts, authors), batch_size=64, shuffle=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    loss_function = nn.CrossEntropyLoss()
    history = []
    for _ in range(epochs):
        for batch, target in loader:
            loss = loss_function(model(batch).view(-1, AUTHORS), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        history.append(loss.item())
    return history


@torch.no_grad()
def accuracy(model, texts, authors):
    guesses = model(texts).view(-1, AUTHORS).argmax(dim=1)
    return (guesses == authors).float().mean().item()


def run(seed=0):
    """Trains on 512 texts; returns the losses and the accuracy on 300 other texts."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = AuthorModel()
    history = train(model, *write_texts(512, generator))
    return history, accuracy(model, *write_texts(300, generator))


if __name__ == "__main__":
    losses, held_out = run()
    for number, loss in enumerate(losses, start=1):
        print("epoch %d: train loss %s" % (number, loss))
    print("held-out accuracy: %.3f" % held_out)
