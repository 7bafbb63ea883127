import numpy as np
import torch
from torch.utils.data import Dataset

PAD, BOS, EOS = 0, 1, 2
FIRST = 3
VOCAB = FIRST + 10


class SortDigits(Dataset):
    """Source: random digits; target: the same digits in ascending order."""

    def __init__(self, count, seed, min_len=3, max_len=6):
        rng = np.random.default_rng(seed)
        self.rows = [rng.integers(0, 10, rng.integers(min_len, max_len + 1)) for _ in range(count)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        digits = self.rows[i]
        src = torch.tensor(digits + FIRST)
        tgt = torch.tensor([BOS, *(np.sort(digits) + FIRST), EOS])
        return src, tgt


def collate(batch):
    src, tgt = zip(*batch)
    pad = torch.nn.utils.rnn.pad_sequence
    return pad(src, batch_first=True, padding_value=PAD), pad(tgt, batch_first=True, padding_value=PAD)
