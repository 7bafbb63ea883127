"""Gradients per sample with function transforms."""

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

model = nn.Linear(3, 1)
parameters = {name: value.detach() for name, value in model.named_parameters()}


def loss(parameters, sample, target):
    return (functional_call(model, parameters, (sample,)) - target).pow(2).mean()


x, y = torch.randn(10, 3), torch.randn(10, 1)
gradients = vmap(grad(loss), in_dims=(None, 0, 0))(parameters, x, y)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for name, value in model.named_parameters():
    value.grad = gradients[name].mean(dim=0)
optimizer.step()
