import torch
from torch import nn


class Deep(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = [nn.Linear(4, 4) for _ in range(depth)]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


net = Deep(3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.rand(2, 4)).sum().backward()
optimizer.step()
