"""Evaluation in inference mode, with weights by parametrization."""

import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm

model = nn.Sequential(weight_norm(nn.Linear(5, 8)), nn.Mish(), nn.Linear(8, 1))
optimizer = torch.optim.RAdam(model.parameters(), lr=1e-2, decoupled_weight_decay=True)
x = torch.rand(20, 5)
for _ in range(5):
    loss = nn.HuberLoss()(model(x), x.sum(dim=1, keepdim=True))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.inference_mode():
    print(model(x).mean())
