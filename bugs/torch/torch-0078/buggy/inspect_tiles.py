"""Finds damaged tiles: features far from those of good tiles are an anomaly."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def bake(count, seed, damaged=0.0):
    generator = torch.Generator().manual_seed(seed)
    tiles = 0.5 + 0.1 * torch.randn(count, 1, 16, 16, generator=generator)
    broken = torch.rand(count, generator=generator) < damaged
    tiles[broken, :, 5:9, 3:12] -= 0.4
    return TensorDataset(tiles, broken)


class AnomalyModel(nn.Module):
    """Distance of local features to a memory of good ones; the score of a tile is its largest distance."""

    def __init__(self, channels=8, memory=20):
        super().__init__()
        self.features = nn.Conv2d(1, channels, kernel_size=4, stride=4)
        self.register_buffer("memory", torch.zeros(memory, channels))

    @torch.no_grad()
    def fit(self, loader):
        seen = torch.cat([self.features(tiles).permute(0, 2, 3, 1).flatten(0, 2) for tiles, _ in loader])
        chosen = torch.randperm(len(seen))[: len(self.memory)]
        self.memory.copy_(seen[chosen])

    @torch.no_grad()
    def forward(self, tiles):
        local = self.features(tiles).flatten(2).transpose(1, 2)
        nearest = torch.cdist(local, self.memory.unsqueeze(0)).min(dim=2).values
        return nearest.max(dim=1, keepdim=True).values.squeeze()


class AverageMargin:
    """Mean score of damaged tiles minus mean score of good ones."""

    def __init__(self):
        self.scores, self.labels = [], []

    def update(self, scores, labels):
        if scores.shape != labels.shape:
            raise RuntimeError(f"Predictions and targets must have the same shape, got {scores.shape} and {labels.shape}.")
        self.scores.append(scores)
        self.labels.append(labels)

    def compute(self):
        scores, labels = torch.cat(self.scores), torch.cat(self.labels)
        return (scores[labels].mean() - scores[~labels].mean()).item()


def test(model, loader):
    metric = AverageMargin()
    for tiles, broken in loader:
        metric.update(model(tiles), broken)
    return metric.compute()


def main(eval_batch_size=8):
    torch.manual_seed(3)
    model = AnomalyModel()
    model.fit(DataLoader(bake(40, seed=0), batch_size=8))
    margin = test(model, DataLoader(bake(33, seed=1, damaged=0.3), batch_size=eval_batch_size))
    print(f"margin between damaged and good tiles: {margin:.3f}")


if __name__ == "__main__":
    main()
