import torch
from torch import nn

net = nn.Linear(3, 2)
criterion = nn.CrossEntropyLoss(reduction="none")
loss = criterion(net(torch.rand(5, 3)), torch.randint(0, 2, (5,)))
loss.backward()
