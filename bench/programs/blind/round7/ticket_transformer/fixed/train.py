"""Route support tickets. A ticket names two products; the queue depends on which one is
mentioned first (the broken one) and on the words around them."""
import random

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from model import TicketClassifier

PRODUCTS = ["printer", "router", "laptop", "phone"]
FILLER = [f"w{i}" for i in range(40)]
URGENT = ["urgent", "now", "asap"]
VOCAB = {w: i + 1 for i, w in enumerate(PRODUCTS + FILLER + URGENT)}
MAX_LEN = 14


def make_ticket(rng):
    n = rng.randint(6, MAX_LEN)
    words = [rng.choice(FILLER) for _ in range(n)]
    first, second = rng.sample(range(len(PRODUCTS)), 2)
    i, j = sorted(rng.sample(range(n), 2))
    words[i], words[j] = PRODUCTS[first], PRODUCTS[second]
    urgent = rng.random() < 0.5
    if urgent:
        words[rng.choice([k for k in range(n) if k not in (i, j)])] = rng.choice(URGENT)
    ids = [VOCAB[w] for w in words] + [0] * (MAX_LEN - n)
    return ids, first * 2 + int(urgent)


def build(n, seed):
    rng = random.Random(seed)
    ids, labels = zip(*(make_ticket(rng) for _ in range(n)))
    return TensorDataset(torch.tensor(ids), torch.tensor(labels))


def evaluate(model, loader, criterion):
    model.eval()
    loss, hits, n = 0.0, 0, 0
    with torch.no_grad():
        for tokens, label in loader:
            out = model(tokens)
            loss += criterion(out, label).item() * len(label)
            hits += (out.argmax(1) == label).sum().item()
            n += len(label)
    return loss / n, hits / n


def main(epochs=10, batch_size=64, lr=1e-3, seed=4):
    torch.manual_seed(seed)
    np.random.seed(seed)
    train_loader = DataLoader(build(4000, seed=1), batch_size=batch_size, shuffle=True)
    val_loader = DataLoader(build(800, seed=2), batch_size=batch_size)
    model = TicketClassifier(len(VOCAB) + 1, 2 * len(PRODUCTS))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)
    for epoch in range(epochs):
        model.train()
        running = []
        for tokens, label in train_loader:
            loss = criterion(model(tokens), label)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            running.append(loss.item())
        val_loss, val_acc = evaluate(model, val_loader, criterion)
        print(f"epoch {epoch + 1:>2} train_loss={np.mean(running):.3f} val_loss={val_loss:.3f} val_acc={val_acc:.3f}")


if __name__ == "__main__":
    main()
