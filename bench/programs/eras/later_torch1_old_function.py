"""A gradient that is reversed."""

import torch
import torch.nn as nn
from torch.autograd import Function


class GradReverse(Function):
    def __init__(self, lambd):
        self.lambd = lambd

    def forward(self, x):
        return x.view_as(x)

    def backward(self, grad_output):
        return (grad_output * -self.lambd)


def grad_reverse(x, lambd=1.0):
    return GradReverse(lambd)(x)


net = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
head = nn.Linear(8, 2)
optimizer = torch.optim.SGD(list(net.parameters()) + list(head.parameters()), lr=0.1)
criterion = nn.CrossEntropyLoss()
for i in range(10):
    inputs, labels = torch.rand(16, 4), torch.randint(0, 2, (16,))
    optimizer.zero_grad()
    loss = criterion(head(grad_reverse(net(inputs))), labels)
    loss.backward()
    optimizer.step()
print(loss.item())
