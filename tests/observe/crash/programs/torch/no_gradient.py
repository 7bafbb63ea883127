import torch
from torch import nn

net = nn.Linear(4, 3)
inputs, labels = torch.rand(6, 4), torch.randint(0, 3, (6,))
scores = net(inputs)
predictions = scores.argmax(dim=1).float()
loss = (predictions - labels).pow(2).mean()
loss.backward()
