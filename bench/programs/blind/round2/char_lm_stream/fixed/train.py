# Character language model over one long stream, trained with truncated BPTT.
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(3)
rng = np.random.default_rng(3)

subjects = ["the cat", "a small dog", "my neighbour", "the old pilot", "every child"]
verbs = ["watches", "paints", "follows", "ignores", "repairs"]
objects = ["the river", "a red boat", "two clocks", "the garden", "an engine"]
tails = ["at noon", "in silence", "every day", "without a word"]


def sentence():
    parts = [rng.choice(subjects), rng.choice(verbs), rng.choice(objects)]
    if rng.random() < 0.5:
        parts.append(rng.choice(tails))
    return " ".join(parts) + ". "


text = "".join(sentence() for _ in range(2400))
chars = sorted(set(text))
to_id = {c: i for i, c in enumerate(chars)}
stream = torch.tensor([to_id[c] for c in text])
cut = int(0.9 * len(stream))
train_stream, valid_stream = stream[:cut], stream[cut:]

BATCH, STEPS, HIDDEN = 16, 40, 96


def fold(ids, rows):
    """Cut the stream into `rows` parallel streams."""
    n = (len(ids) - 1) // rows
    x = ids[:n * rows].view(rows, n)
    y = ids[1:n * rows + 1].view(rows, n)
    return x, y


class CharLM(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab, 32)
        self.lstm = nn.LSTM(32, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, state):
        h, state = self.lstm(self.embed(x), state)
        return self.out(h), state


def zero_state(rows):
    return torch.zeros(1, rows, HIDDEN), torch.zeros(1, rows, HIDDEN)


model = CharLM(len(chars), HIDDEN)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
train_x, train_y = fold(train_stream, BATCH)
valid_x, valid_y = fold(valid_stream, BATCH)
print(f"{len(text)} characters, vocabulary of {len(chars)}")

for epoch in range(1, 5):
    model.train()
    h, c = zero_state(BATCH)
    total, count = 0.0, 0
    for start in range(0, train_x.size(1) - STEPS + 1, STEPS):
        xb = train_x[:, start:start + STEPS]
        yb = train_y[:, start:start + STEPS]
        logits, (h, c) = model(xb, (h.detach(), c.detach()))
        loss = F.cross_entropy(logits.reshape(-1, len(chars)), yb.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
        count += 1

    model.eval()
    with torch.no_grad():
        logits, _ = model(valid_x, zero_state(BATCH))
        valid = F.cross_entropy(logits.reshape(-1, len(chars)), valid_y.reshape(-1)).item()
    print(f"epoch {epoch}: train loss {total / count:.3f}, "
          f"valid loss {valid:.3f}, valid perplexity {math.exp(valid):.2f}")
