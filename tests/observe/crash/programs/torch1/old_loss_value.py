import torch
from torch import nn
from torch.autograd import Variable

net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
running = 0.0
for step in range(5):
    x = Variable(torch.rand(8, 4))
    loss = nn.functional.mse_loss(net(x), x.sum(1, keepdim=True))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    running += loss.data[0]
print(running)
