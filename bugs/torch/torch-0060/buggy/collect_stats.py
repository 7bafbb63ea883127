"""Mean and deviation of the features over the corpus, written before training."""

import torch

from stream import build_loader


def collect(num_workers=2):
    total = squares = count = 0
    keys = []
    for batch_keys, features in build_loader(num_workers=num_workers):
        keys += batch_keys
        total += features.sum(dim=0)
        squares += features.pow(2).sum(dim=0)
        count += len(features)
    mean = total / count
    return {"count": count, "mean": mean, "deviation": torch.sqrt(squares / count - mean**2), "keys": keys}


def main():
    for num_workers in (0, 1, 2):
        stats = collect(num_workers)
        print(f"{num_workers} workers: {stats['count']} recordings, {len(set(stats['keys']))} different keys")


if __name__ == "__main__":
    main()
