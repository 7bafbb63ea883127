import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Flowers(Dataset):
    def __init__(self, count):
        random = np.random.RandomState(1)
        self.x = random.rand(count, 4).astype("float32")
        self.y = random.randint(0, 3, count).astype("int32")

    def __len__(self):
        return len(self.y)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


net = nn.Linear(4, 3)
criterion = nn.CrossEntropyLoss()
for x, y in DataLoader(Flowers(30), batch_size=10):
    criterion(net(x), y).backward()
