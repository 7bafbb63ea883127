"""Matrix factorisation, trained to rank borrowed books above others."""

import torch
import torch.nn.functional as F
from torch import nn


class Factors(nn.Module):
    def __init__(self, readers, books, size=8):
        super().__init__()
        self.readers = nn.Embedding(readers, size)
        self.books = nn.Embedding(books, size)
        for table in (self.readers, self.books):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, readers):
        """Scores of all books for these readers."""
        return self.readers(readers) @ self.books.weight.T


def fit(model, borrowed, epochs=40, lr=0.05):
    """Bayesian personalised ranking with one random book against each borrowed one."""
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    readers = torch.arange(len(borrowed))
    for _ in range(epochs):
        scores = model(readers)
        others = torch.randint(scores.shape[1], borrowed.shape)
        loss = -F.logsigmoid(scores.gather(1, borrowed) - scores.gather(1, others)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model
