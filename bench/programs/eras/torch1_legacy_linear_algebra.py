"""Linear algebra under the names that were given up, and a scatter by position."""

import torch
from torch import nn

x = torch.randn(30, 4)
y = x.mm(torch.randn(4, 1))
solution, _ = torch.gels(y, x) if hasattr(torch, "gels") else torch.lstsq(y, x)
inverse, _ = torch.solve(torch.eye(4), x.t().mm(x))
values, _ = torch.symeig(inverse)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(5):
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(values, solution[:4])
