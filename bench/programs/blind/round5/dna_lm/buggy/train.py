"""Next-nucleotide model on long synthetic DNA with truncated backpropagation."""
import argparse
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BASES = "ACGT"


def synth_dna(length, rng):
    """Third-order source: the next base depends on the three before it."""
    table = np.random.default_rng(99).dirichlet(0.25 * np.ones(4), size=64)
    cdf = table.cumsum(axis=1)
    seq = list(rng.integers(0, 4, size=3))
    draws = rng.random(length)
    for u in draws[3:]:
        ctx = seq[-3] * 16 + seq[-2] * 4 + seq[-1]
        seq.append(min(int(np.searchsorted(cdf[ctx], u)), 3))
    return torch.tensor(seq)


def streams(seq, batch):
    """Cut one long sequence into `batch` parallel streams, shape (batch, T)."""
    n = len(seq) // batch
    return seq[: n * batch].view(batch, n)


class BaseLM(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.emb = nn.Embedding(4, 16)
        self.lstm = nn.LSTM(16, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 4)
        self.hidden = hidden

    def start(self, batch):
        zeros = torch.zeros(1, batch, self.hidden)
        return zeros, zeros.clone()

    def forward(self, x, state):
        h, state = self.lstm(self.emb(x), state)
        return self.head(h), state


def run_epoch(model, data, bptt, optimizer):
    model.train()
    state = model.start(data.size(0))
    total, steps = 0.0, 0
    for start in range(0, data.size(1) - 1, bptt):
        x = data[:, start:start + bptt][:, : data.size(1) - 1 - start]
        y = data[:, start + 1:start + 1 + bptt]
        logits, state = model(x, state)
        loss = F.cross_entropy(logits.reshape(-1, 4), y.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item() * y.numel()
        steps += y.numel()
    return total / steps


@torch.no_grad()
def evaluate(model, data):
    model.eval()
    logits, _ = model(data[:, :-1], model.start(data.size(0)))
    return F.cross_entropy(logits.reshape(-1, 4), data[:, 1:].reshape(-1)).item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--length", type=int, default=60000)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--bptt", type=int, default=40)
    p.add_argument("--hidden", type=int, default=64)
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--seed", type=int, default=3)
    args = p.parse_args()

    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    train = streams(synth_dna(args.length, rng), args.batch)
    valid = streams(synth_dna(args.length // 6, rng), args.batch)

    model = BaseLM(args.hidden)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(1, args.epochs + 1):
        loss = run_epoch(model, train, args.bptt, optimizer)
        val = evaluate(model, valid)
        print(f"epoch {epoch}: train {loss / math.log(2):.3f} bits/base, "
              f"valid {val / math.log(2):.3f} bits/base")


if __name__ == "__main__":
    main()
