"""Questions of two collections, one after the other, as a validation set has them."""

import torch
from torch.utils.data import Dataset

LARGE, SMALL = "large", "small"


class QuestionSet(Dataset):
    """An item: the collection, features of the question, the answer (one of four)."""

    def __init__(self, large=900, small=61, seed=0):
        generator = torch.Generator().manual_seed(seed)
        count = large + small
        self.sources = [LARGE] * large + [SMALL] * small
        self.answers = torch.randint(4, (count,), generator=generator)
        self.features = torch.randn(count, 8, generator=generator)
        self.features[torch.arange(count), self.answers] += 1.2

    def __len__(self):
        return len(self.sources)

    def __getitem__(self, index):
        return self.sources[index], self.features[index], self.answers[index]
