"""A classifier that pools a sequence with one query that attends to it."""

import torch
from torch import nn
from x_transformers import AttentionPool


class PooledClassifier(nn.Module):
    def __init__(self, dim=16, classes=3):
        super().__init__()
        self.pool = AttentionPool(dim=dim, num_pooled_tokens=1, heads=2, dim_head=8, squeeze_output=True)
        self.head = nn.Linear(dim, classes)

    def forward(self, tokens):
        return self.head(self.pool(tokens))


def train(steps=5):
    model = PooledClassifier()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(steps):
        tokens = torch.randn(8, 10, 16)
        labels = (tokens[:, :, 0].mean(dim=1) > 0).long()
        loss = nn.functional.cross_entropy(model(tokens), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


def main():
    train()
    print("trained")


if __name__ == "__main__":
    main()
