"""Streams recordings from shards, so that the corpus need not fit into memory."""

import math

import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class ShardStream(IterableDataset):
    """Yields (key, features) of all recordings, shard by shard."""

    def __init__(self, shards, per_shard=10, frames=20):
        self.shards, self.per_shard, self.frames = shards, per_shard, frames

    def _read(self, shard):
        generator = torch.Generator().manual_seed(shard)
        for number in range(self.per_shard):
            pitch = 0.1 + 0.3 * torch.rand(1, generator=generator)
            wave = torch.sin(2 * math.pi * pitch * torch.arange(self.frames))
            yield f"shard{shard:02d}-{number:03d}", wave

    def __iter__(self):
        worker = get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        for shard in range(first, self.shards, step):
            yield from self._read(shard)


def build_loader(shards=6, batch_size=5, num_workers=2):
    return DataLoader(ShardStream(shards), batch_size=batch_size, num_workers=num_workers)
