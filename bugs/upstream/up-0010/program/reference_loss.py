"""Neighbourhood component loss of a small batch against a larger set of reference embeddings."""

import torch
from pytorch_metric_learning.losses import NCALoss
from pytorch_metric_learning.miners import MultiSimilarityMiner
from torch import nn


def train(steps=5):
    network = nn.Linear(10, 6)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
    miner, criterion = MultiSimilarityMiner(epsilon=2.0), NCALoss()
    reference, reference_labels = torch.randn(32, 6), torch.arange(32) % 4
    for _ in range(steps):
        embeddings, labels = network(torch.randn(8, 10)), torch.arange(8) % 4
        pairs = miner(embeddings, labels, reference, reference_labels)
        loss = criterion(embeddings, labels, pairs, reference, reference_labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    print(f"loss {train():.3f}")


if __name__ == "__main__":
    main()
