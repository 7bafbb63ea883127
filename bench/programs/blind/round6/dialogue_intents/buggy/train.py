import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from encoder import IntentModel

VOCAB, INTENTS, MAX_LEN = 150, 6, 14


def make_utterances(n, seed):
    """The intent is an ordered pair of trigger words: (a, b) and (b, a) differ."""
    rng = np.random.default_rng(seed)
    pairs = [(1, 2), (2, 1), (3, 4), (4, 3), (5, 6), (6, 5)]
    ids = np.zeros((n, MAX_LEN), dtype=np.int64)
    lengths = rng.integers(4, MAX_LEN + 1, size=n)
    intents = rng.integers(0, INTENTS, size=n)
    for i in range(n):
        words = rng.integers(10, VOCAB, size=lengths[i])
        first, second = np.sort(rng.choice(lengths[i], size=2, replace=False))
        words[first], words[second] = pairs[intents[i]]
        ids[i, :lengths[i]] = words
    return TensorDataset(*(torch.from_numpy(a) for a in (ids, lengths, intents)))


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = total = 0
    for ids, lengths, intents in loader:
        hits += (model(ids, lengths).argmax(1) == intents).sum().item()
        total += len(intents)
    return hits / total


def main():
    torch.manual_seed(9)
    train_set, val_set = make_utterances(3000, 1), make_utterances(500, 2)
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=100)
    model = IntentModel(VOCAB, INTENTS)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(1, 11):
        model.train()
        total = 0.0
        for ids, lengths, intents in train_loader:
            loss = criterion(model(ids, lengths), intents)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item() * len(ids)
        print(f"epoch {epoch:2d} loss {total / len(train_set):.4f} val acc {accuracy(model, val_loader):.3f}")


if __name__ == "__main__":
    main()
