"""Sentiment of short made-up reviews with a GRU."""
import random

import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

GOOD = "great lovely superb fine charming crisp fresh brilliant".split()
BAD = "awful dull broken bland noisy cheap rude sticky".split()
FILLER = ("the a room service screen battery table staff sound colour was is and very "
          "with of we they on price again there food light door box").split()
VOCAB = ["<pad>"] + GOOD + BAD + ["not", "but"] + FILLER
INDEX = {w: i for i, w in enumerate(VOCAB)}
PAD = INDEX["<pad>"]


def opinion(rng):
    positive = rng.random() < 0.5
    word = rng.choice(GOOD if positive else BAD)
    if rng.random() < 0.35:
        return ["not", word], not positive
    return [word], positive


def review(rng):
    """Opinions mixed with filler; what follows the last 'but' decides."""
    words, verdict = [], None
    clauses = rng.choice([1, 1, 2, 2, 3])
    filler = rng.choice([1, 2, 3, 24])
    for k in range(clauses):
        if k:
            words.append("but")
        words += [rng.choice(FILLER) for _ in range(rng.randint(1, filler))]
        tokens, verdict = opinion(rng)
        words += tokens
    words += [rng.choice(FILLER) for _ in range(rng.randint(0, 2))]
    return [INDEX[w] for w in words], int(verdict)


def collate(batch):
    ids = [torch.tensor(x) for x, _ in batch]
    lengths = torch.tensor([len(x) for x in ids])
    labels = torch.tensor([y for _, y in batch], dtype=torch.float32)
    return pad_sequence(ids, batch_first=True, padding_value=PAD), lengths, labels


class ReviewGRU(nn.Module):
    def __init__(self, vocab, emb=24, hidden=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=PAD)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, ids, lengths):
        states, _ = self.gru(self.emb(ids))
        last = states[:, -1]
        return self.out(last).squeeze(1)


def main():
    torch.manual_seed(5)
    rng = random.Random(5)
    train = [review(rng) for _ in range(1600)]
    valid = [review(rng) for _ in range(600)]
    train_loader = DataLoader(train, batch_size=32, shuffle=True, collate_fn=collate)
    valid_loader = DataLoader(valid, batch_size=100, collate_fn=collate)

    model = ReviewGRU(len(VOCAB))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.BCEWithLogitsLoss()

    for epoch in range(1, 8):
        model.train()
        losses = []
        for ids, lengths, labels in train_loader:
            loss = criterion(model(ids, lengths), labels)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())
        model.eval()
        hits = 0
        with torch.no_grad():
            for ids, lengths, labels in valid_loader:
                hits += ((model(ids, lengths) > 0) == (labels > 0.5)).sum().item()
        print(f"epoch {epoch}  loss {np.mean(losses):.4f}  valid acc {hits / len(valid):.3f}")


if __name__ == "__main__":
    main()
