"""Sentiment of short synthetic reviews with a GRU."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 7
VOCAB = 300
MAX_LEN = 20
BATCH = 32
EPOCHS = 5
LR = 3e-3

torch.manual_seed(SEED)
np.random.seed(SEED)
torch.set_num_threads(1)


def make_reviews(n):
    """Ids 1..40 are positive words, 41..80 negative, the rest neutral; 0 is padding."""
    rng = np.random.RandomState(SEED)
    tokens = np.zeros((n, MAX_LEN), dtype=np.int64)
    labels = rng.randint(0, 2, size=n)
    for i in range(n):
        length = rng.randint(10, MAX_LEN + 1)
        words = rng.randint(81, VOCAB, size=length)
        k = rng.randint(3, 6)
        where = rng.choice(length, size=k, replace=False)
        low = 1 if labels[i] == 1 else 41
        words[where] = rng.randint(low, low + 40, size=k)
        tokens[i, MAX_LEN - length:] = words
    return torch.from_numpy(tokens), torch.from_numpy(labels).float()


class SentimentGRU(nn.Module):
    def __init__(self, vocab, emb=32, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=0)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        out, _ = self.gru(self.emb(x))
        return self.head(out.mean(dim=1)).squeeze(1)


def evaluate(model, loader):
    model.eval()
    correct, total = 0, 0
    with torch.no_grad():
        for x, y in loader:
            pred = (model(x) > 0).float()
            correct += (pred == y).sum().item()
            total += len(y)
    return correct / total


def main():
    x, y = make_reviews(2400)
    train = DataLoader(TensorDataset(x[:2000], y[:2000]), batch_size=BATCH, shuffle=True)
    valid = DataLoader(TensorDataset(x[2000:], y[2000:]), batch_size=200)

    model = SentimentGRU(VOCAB)
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=LR)

    for epoch in range(EPOCHS):
        model.train()
        running = 0.0
        for xb, yb in train:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
            running += loss.item() * len(yb)
        print(f"epoch {epoch + 1}/{EPOCHS} loss {running / 2000:.4f} "
              f"train_acc {evaluate(model, train):.3f} val_acc {evaluate(model, valid):.3f}")


if __name__ == "__main__":
    main()
