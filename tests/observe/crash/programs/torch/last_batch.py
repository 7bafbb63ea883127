import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.rand(9, 3))
loader = DataLoader(data, batch_size=4, shuffle=True)
net = nn.Sequential(nn.Linear(3, 5), nn.BatchNorm1d(5))
for (batch,) in loader:
    net(batch)
