"""Classify compounds as active or inactive with message passing."""
import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from gnn import CompoundNet
from graphs import collate, make_graph


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hits, total = 0, 0
    for kinds, edges, owner, labels in loader:
        logits = model(kinds, edges, owner, len(labels))
        hits += ((logits > 0).float() == labels).sum().item()
        total += len(labels)
    return hits / total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    graphs = [make_graph(rng) for _ in range(1600)]
    train_loader = DataLoader(graphs[:1200], batch_size=args.batch_size, shuffle=True, collate_fn=collate)
    val_loader = DataLoader(graphs[1200:], batch_size=args.batch_size, collate_fn=collate)

    model = CompoundNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for kinds, edges, owner, labels in train_loader:
            loss = criterion(model(kinds, edges, owner, len(labels)), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch + 1:2d}: loss {total / len(train_loader):.3f}  val acc {evaluate(model, val_loader):.3f}")


if __name__ == "__main__":
    main()
