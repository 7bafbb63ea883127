"""Adam, written out."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.optimizer import Optimizer


class MyAdam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super(MyAdam, self).__init__(params, dict(lr=lr, betas=betas, eps=eps))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["exp_avg"] = torch.zeros_like(p.data)
                    state["exp_avg_sq"] = torch.zeros_like(p.data)
                beta1, beta2 = group["betas"]
                state["step"] += 1
                state["exp_avg"].mul_(beta1).add_(1 - beta1, grad)
                state["exp_avg_sq"].mul_(beta2).addcmul_(1 - beta2, grad, grad)
                denom = state["exp_avg_sq"].sqrt().add_(group["eps"])
                size = group["lr"] * math.sqrt(1 - beta2 ** state["step"]) / (1 - beta1 ** state["step"])
                p.data.addcdiv_(-size, state["exp_avg"], denom)


model = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 3))
optimizer = MyAdam(model.parameters())
for it in range(20):
    x, y = torch.randn(32, 6), torch.LongTensor(32).random_(0, 3)
    loss = F.nll_loss(F.log_softmax(model(x)), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("final loss: %.3f" % loss.item())
