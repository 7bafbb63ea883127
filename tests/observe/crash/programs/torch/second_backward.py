import torch
from torch import nn

net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
inputs, targets = torch.rand(8, 4), torch.rand(8, 1)
loss = nn.functional.mse_loss(net(inputs), targets)
for _ in range(3):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
