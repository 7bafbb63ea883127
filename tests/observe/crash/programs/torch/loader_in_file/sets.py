import torch
from torch.utils.data import Dataset


class Pairs(Dataset):
    """Neighbouring rows of a table."""

    def __init__(self, table):
        self.table = table

    def __len__(self):
        return len(self.table)

    def __getitem__(self, index):
        return self.table[index], self.table[index + 1]


def join(samples):
    first = torch.stack([one for one, _ in samples])
    second = torch.stack([other for _, other in samples])
    return first, second
