import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Series(Dataset):
    def __init__(self, values, window):
        self.values, self.window = values, window

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return self.values[i], self.values[i + 1], self.values[i + 2]


data = Series(torch.rand(20), 3)
net = nn.Linear(2, 1)
for first, second, third in DataLoader(data, batch_size=5):
    out = net(torch.stack([first, second], 1)).squeeze(1)
    (out - third).pow(2).mean().backward()
