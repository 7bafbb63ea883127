import torch
from torch import nn

device = "meta"
net = nn.Linear(5, 2).to(device)
x = torch.rand(4, 5)
y = torch.rand(4, 2, device=device)
loss = (net(x) - y).pow(2).mean()
print(loss.shape)
