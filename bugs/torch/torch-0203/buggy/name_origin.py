"""Guesses the language of a name with a GRU over its letters."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

import names


class Guesser(nn.Module):

    def __init__(self, hidden=24):
        super().__init__()
        self.letters = nn.Embedding(len(names.LETTERS) + 1, 8, padding_idx=0)
        self.gru = nn.GRU(8, hidden, batch_first=True)
        self.output = nn.Linear(hidden, 2)

    def forward(self, letters, lengths):
        packed = pack_padded_sequence(self.letters(letters), lengths, batch_first=True)
        _, last = self.gru(packed)
        return self.output(last.squeeze(0))


def collate(batch):
    encoded = [torch.tensor(names.encode(name)) for name, _ in batch]
    lengths = torch.tensor([len(name) for name in encoded])
    labels = torch.tensor([language for _, language in batch])
    return pad_sequence(encoded, batch_first=True), lengths, labels


def train(epochs=4, seed=0):
    loader = torch.utils.data.DataLoader(names.make_names(400, seed), batch_size=20, shuffle=True, collate_fn=collate)
    model = Guesser()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        right = 0
        for letters, lengths, labels in loader:
            scores = model(letters, lengths)
            loss = nn.functional.cross_entropy(scores, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            right += (scores.argmax(1) == labels).sum().item()
        print("epoch %d: %d of 400 right" % (epoch, right))
    return model


if __name__ == "__main__":
    train()
