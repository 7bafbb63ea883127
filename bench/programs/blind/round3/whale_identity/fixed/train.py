import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from losses import batch_hard_triplet, pairwise_distance

LENGTH = 96


def make_calls(n_whales, n_calls, seed):
    """Every animal has its own melody; calls differ in loudness, timing and noise."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 1, LENGTH)
    calls, ids = [], []
    for whale in range(n_whales):
        f = rng.uniform(2, 14, size=3)
        a = rng.uniform(0.3, 1.0, size=3)
        sweep = rng.uniform(-6, 6)
        for _ in range(n_calls):
            shift = rng.uniform(0, 1)
            wave = sum(ak * np.sin(2 * np.pi * (fk * (t + shift) + sweep * t ** 2 / 2)) for ak, fk in zip(a, f))
            calls.append(rng.uniform(0.7, 1.3) * wave + 0.3 * rng.standard_normal(LENGTH))
            ids.append(whale)
    return torch.tensor(np.array(calls), dtype=torch.float32).unsqueeze(1), torch.tensor(ids)


class CallEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 32, 15, padding=7), nn.BatchNorm1d(32), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(32, 48, 9, padding=4), nn.BatchNorm1d(48), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(48, 64, 5, padding=2), nn.BatchNorm1d(64), nn.ReLU(),
            nn.AdaptiveAvgPool1d(2), nn.Flatten(), nn.Linear(128, dim),
        )

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


def sample_batch(ids, n_whales, per_whale, rng):
    picked = rng.choice(np.unique(ids), size=n_whales, replace=False)
    return np.concatenate([rng.choice(np.flatnonzero(ids == w), size=per_whale, replace=False) for w in picked])


def recall_at_1(model, calls, ids):
    model.eval()
    with torch.no_grad():
        dist = pairwise_distance(model(calls))
    dist.fill_diagonal_(float("inf"))
    return (ids[dist.argmin(1)] == ids).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--margin", type=float, default=0.3)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    calls, ids = make_calls(60, 20, seed=1)
    new_calls, new_ids = make_calls(20, 10, seed=2)

    model = CallEncoder(dim=32)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    print(f"before training: recall@1 on new whales {recall_at_1(model, new_calls, new_ids):.3f}")
    losses = []
    for step in range(1, args.steps + 1):
        model.train()
        idx = sample_batch(ids.numpy(), 12, 4, rng)
        loss = batch_hard_triplet(model(calls[idx]), ids[idx], args.margin)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if step % 80 == 0:
            print(f"step {step}: loss {np.mean(losses[-80:]):.4f}  "
                  f"recall@1 on new whales {recall_at_1(model, new_calls, new_ids):.3f}")


if __name__ == "__main__":
    main()
