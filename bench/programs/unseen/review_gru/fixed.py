"""Sentiment of short synthetic reviews with an embedding + GRU encoder."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(11)
np.random.seed(11)

VOCAB, PAD, NOT = 300, 0, 1
POSITIVE = range(2, 42)
NEGATIVE = range(42, 82)
MAX_LEN = 20


def make_reviews(n):
    tokens = np.full((n, MAX_LEN), PAD, dtype=np.int64)
    labels = np.zeros(n, dtype=np.float32)
    for i in range(n):
        score = 0
        seq = []
        while len(seq) < MAX_LEN - 2:
            u = np.random.rand()
            if u < 0.7:
                seq.append(np.random.randint(82, VOCAB))
                continue
            sign = 1 if u < 0.85 else -1
            if np.random.rand() < 0.2:
                seq.append(NOT)
                score -= sign
            else:
                score += sign
            seq.append(np.random.choice(POSITIVE if sign > 0 else NEGATIVE))
        if score == 0:
            seq.append(np.random.choice(POSITIVE))
            score = 1
        tokens[i, :len(seq)] = seq
        labels[i] = float(score > 0)
    return torch.from_numpy(tokens), torch.from_numpy(labels)


class ReviewNet(nn.Module):
    def __init__(self, dim=32, hidden=48):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.gru = nn.GRU(dim, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, tokens):
        states, _ = self.gru(self.embed(tokens))
        return self.head(states.mean(dim=1)).squeeze(1)


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        return ((model(x) > 0).float() == y).float().mean().item()


def main():
    x_train, y_train = make_reviews(3000)
    x_val, y_val = make_reviews(600)
    loader = DataLoader(TensorDataset(x_train, y_train), batch_size=64, shuffle=True)
    model = ReviewNet()
    loss_fn = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

    for epoch in range(7):
        model.train()
        running = 0.0
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            running += loss.item()
        print("epoch %d | loss %.4f | val acc %.3f"
              % (epoch + 1, running / len(loader), evaluate(model, x_val, y_val)))


if __name__ == "__main__":
    main()
