import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from clicks import Catalogue, make_examples, simulate
from model import TwoTower


def mean_rank(model, past, nxt, n_articles):
    """Mean percentile of the clicked article among all articles (0 is best)."""
    model.eval()
    everything = torch.arange(1, n_articles + 1)
    with torch.no_grad():
        scores = model(past, everything.expand(len(past), -1))
    target = scores.gather(1, (nxt - 1).unsqueeze(1))
    return (scores > target).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--negatives", type=int, default=20)
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()

    torch.manual_seed(0)
    histories = simulate()
    catalogue = Catalogue(histories)
    past, nxt, owner = make_examples(histories, catalogue)
    held_out = owner >= 400
    past, nxt = torch.from_numpy(past), torch.from_numpy(nxt)
    train = TensorDataset(past[~held_out], nxt[~held_out])
    loader = DataLoader(train, batch_size=64, shuffle=True)
    print(f"{len(catalogue)} articles, {len(train)} training clicks")

    model = TwoTower(n_rows=len(catalogue))
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=1e-5)

    for epoch in range(1, args.epochs + 1):
        model.train()
        losses = []
        for window, clicked in loader:
            negatives = torch.randint(1, len(catalogue) + 1, (len(clicked), args.negatives))
            candidates = torch.cat([clicked.unsqueeze(1), negatives], dim=1)
            scores = model(window, candidates)
            loss = F.cross_entropy(scores, torch.zeros(len(clicked), dtype=torch.long))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        rank = mean_rank(model, past[held_out], nxt[held_out], len(catalogue))
        print(f"epoch {epoch:2d}  loss {np.mean(losses):.3f}  held-out percentile rank {rank:.3f}")


if __name__ == "__main__":
    main()
