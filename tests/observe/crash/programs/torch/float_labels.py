import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Flowers(Dataset):
    def __init__(self, count):
        random = np.random.default_rng(0)
        self.measures = random.random((count, 4)).astype("float32")
        self.species = random.integers(0, 3, count).astype("float32")

    def __len__(self):
        return len(self.measures)

    def __getitem__(self, index):
        return self.measures[index], self.species[index]


loader = DataLoader(Flowers(20), batch_size=5)
net = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
for measures, species in loader:
    criterion(net(measures), species).backward()
