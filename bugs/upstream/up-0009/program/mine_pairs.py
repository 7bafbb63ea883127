"""Picks the hardest negative of every embedding, by cosine similarity."""

import torch
from pytorch_metric_learning.distances import CosineSimilarity
from pytorch_metric_learning.miners import BatchEasyHardMiner


def make_embeddings(count=20):
    labels = torch.arange(count) % 2
    centre = torch.zeros(count, 8)
    centre[:, 0] = 1 - 2.0 * labels
    return centre + 0.2 * torch.randn(count, 8), labels


def mine(embeddings, labels):
    """Anchors with their positives, and anchors with their negatives."""
    miner = BatchEasyHardMiner(pos_strategy="easy", neg_strategy="hard", distance=CosineSimilarity())
    return miner(embeddings, labels)


def main():
    torch.manual_seed(0)
    embeddings, labels = make_embeddings()
    _, _, anchors, negatives = mine(embeddings, labels)
    print("negatives with the label of their anchor:", int((labels[anchors] == labels[negatives]).sum()))


if __name__ == "__main__":
    main()
