import torch
from torch import nn

x = torch.rand(20, 3)
y = (x[:, 0] > 0.5).int()
net = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1))
criterion = nn.BCEWithLogitsLoss()
loss = criterion(net(x), y)
loss.backward()
