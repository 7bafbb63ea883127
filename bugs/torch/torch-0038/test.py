"""Healthy: the readings come in another order in each of six epochs."""

import fit_tides
import oracle
from torch.utils.data import Dataset
from torch import tensor


class Numbered(Dataset):
    """Readings that note when they are read."""

    def __init__(self):
        self.read = []

    def __len__(self):
        return 100

    def __getitem__(self, index):
        self.read.append(index)
        return tensor([float(index), 1.0]), tensor([0.0])


def count_orders(seed):
    dataset = Numbered()
    trainer = fit_tides.Trainer(dataset, world_size=2, rank=1, batch_size=10, lr=0.0)
    dataset.read.clear()
    trainer.fit(6)
    per_epoch = len(dataset.read) // 6
    orders = {tuple(dataset.read[start : start + per_epoch]) for start in range(0, len(dataset.read), per_epoch)}
    return len(orders)


oracle.value("different orders in six epochs", count_orders, equals=6)
