import torch
from torch import nn

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.rand(4, 2)).mean()
optimzer.zero_grad()
loss.backward()
optimizer.step()
