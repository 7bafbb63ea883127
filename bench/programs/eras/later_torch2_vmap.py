"""An ensemble trained at once."""

import torch
from torch import nn
from torch.func import functional_call, grad, stack_module_state, vmap

models = [nn.Linear(3, 1) for _ in range(4)]
params, buffers = stack_module_state(models)
params = {name: value.detach() for name, value in params.items()}


def loss_of(params, x, y):
    return ((functional_call(models[0], params, (x,)) - y) ** 2).mean()


x = torch.randn(64, 3)
y = x.sum(dim=1, keepdim=True)
for step in range(20):
    grads = vmap(grad(loss_of), in_dims=(0, None, None))(params, x, y)
    params = {name: value - 0.1 * grads[name] for name, value in params.items()}
print(vmap(loss_of, in_dims=(0, None, None))(params, x, y))
