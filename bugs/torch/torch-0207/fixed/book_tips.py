"""Recommends books with Bayesian personalised ranking."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import loans


class BPR(nn.Module):

    def __init__(self, size=8):
        super(BPR, self).__init__()
        self.readers = nn.Embedding(loans.READERS, size)
        self.books = nn.Embedding(loans.BOOKS, size)
        nn.init.normal_(self.readers.weight, std=0.1)
        nn.init.normal_(self.books.weight, std=0.1)

    def forward(self, reader, book):
        return (self.readers(reader) * self.books(book)).sum(dim=1)


def load(batch_size=50):
    table = torch.from_numpy(loans.loan_table()).long()
    return DataLoader(TensorDataset(table), batch_size=batch_size, shuffle=True)


def train(epochs=10):
    model = BPR()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(epochs):
        total = 0.0
        for (rows,) in load():
            reader, liked, other = rows.t()
            loss = -F.logsigmoid(model(reader, liked) - model(reader, other)).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print("epoch %d: %.3f" % (epoch, total))
    return model


if __name__ == "__main__":
    train()
