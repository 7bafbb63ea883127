import numpy as np
import torch
from torch import nn

random = np.random.default_rng(0)
points = random.normal(size=(60, 2)).astype("float32")
sides = np.where(points[:, 0] > points[:, 1], 1, -1)
x, y = torch.from_numpy(points), torch.from_numpy(sides)
net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(net.parameters())
criterion = nn.CrossEntropyLoss()
for _ in range(5):
    optimizer.zero_grad()
    loss = criterion(net(x), y)
    loss.backward()
    optimizer.step()
