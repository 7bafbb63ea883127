import torch
from torch import nn

net = nn.Linear(3, 1)
optimizer = torch.optim.Adam(net.parameters(), learning_rate=0.001)
print(optimizer)
