"""Reads all features with a worker process and keeps them."""

import torch
from torch.utils.data import DataLoader, Dataset

import node_settings


class Features(Dataset):
    def __init__(self, count, size=16):
        self.count, self.size = count, size

    def __len__(self):
        return self.count

    def __getitem__(self, number):
        generator = torch.Generator().manual_seed(number)
        return torch.randn(self.size, generator=generator), number


def collect(count=600, workers=1):
    loader = DataLoader(Features(count), batch_size=2, num_workers=workers)
    kept = []
    for features, number in loader:
        kept.append((features, number))
    return torch.cat([features for features, _ in kept])


def main():
    node_settings.apply()
    features = collect()
    print(tuple(features.shape), "mean %.3f" % features.mean())
    return features


if __name__ == "__main__":
    main()
