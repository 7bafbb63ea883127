"""Evaluation of the time before no_grad, with a loss that is indexed."""

import torch
from torch import nn
from torch.autograd import Variable

model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
criterion = nn.MSELoss(size_average=True)
optimizer = torch.optim.Adam(model.parameters())
for step in range(20):
    x = Variable(torch.rand(16, 4))
    loss = criterion(model(x), Variable(torch.rand(16, 1)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(loss.data[0])
test = Variable(torch.rand(4, 4), volatile=True)
print(model(test))
