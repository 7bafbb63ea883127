# Sentiment of short synthetic reviews: bag of embeddings + MLP.
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

SEED = 11
EPOCHS = 10
BATCH = 64
POSITIVE = ["great", "lovely", "fresh", "fast", "friendly", "tasty", "clean", "bright", "fair", "warm"]
NEGATIVE = ["awful", "rude", "stale", "slow", "bland", "dirty", "dark", "noisy", "cold", "broken"]
FILLER = [f"w{i}" for i in range(200)]
VOCAB = {w: i for i, w in enumerate(POSITIVE + NEGATIVE + FILLER)}


def write_review(label, rng):
    words = list(rng.choice(FILLER, rng.integers(5, 15)))
    for _ in range(rng.integers(2, 5)):
        agree = rng.random() < 0.85
        pool = POSITIVE if (label == 1) == agree else NEGATIVE
        words.insert(rng.integers(0, len(words) + 1), rng.choice(pool))
    return words


def make_split(n, rng):
    labels = rng.integers(0, 2, n)
    docs = [[VOCAB[w] for w in write_review(y, rng)] for y in labels]
    return docs, labels


def batches(docs, labels, order):
    for start in range(0, len(order), BATCH):
        ids = order[start:start + BATCH]
        flat = torch.tensor([t for i in ids for t in docs[i]])
        sizes = [len(docs[i]) for i in ids]
        offsets = torch.tensor(np.cumsum([0] + sizes[:-1]))
        yield flat, offsets, torch.tensor(labels[ids])


class Sentiment(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.bag = nn.EmbeddingBag(len(VOCAB), dim, mode="mean")
        self.fc1 = nn.Linear(dim, 32)
        self.fc2 = nn.Linear(32, 2)

    def forward(self, flat, offsets):
        return self.fc2(F.relu(self.fc1(self.bag(flat, offsets))))


rng = np.random.default_rng(SEED)
torch.manual_seed(SEED)
train_docs, train_labels = make_split(3000, rng)
test_docs, test_labels = make_split(800, rng)

model = Sentiment()
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)

for epoch in range(1, EPOCHS + 1):
    total = 0.0
    for flat, offsets, y in batches(train_docs, train_labels, rng.permutation(len(train_docs))):
        loss = F.cross_entropy(model(flat, offsets), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
    hits = 0
    with torch.no_grad():
        for flat, offsets, y in batches(test_docs, test_labels, np.arange(len(test_docs))):
            hits += (model(flat, offsets).argmax(1) == y).sum().item()
    print(f"epoch {epoch:2d}  loss {total / len(train_docs):.4f}  test acc {hits / len(test_docs):.3f}")
