import torch
from torch import nn

net = nn.Linear(3, 1)
outputs = net(torch.rand(5, 3))
errors = torch.abs(outputs.detach() - 1)
loss = errors.mean()
loss.backward()
