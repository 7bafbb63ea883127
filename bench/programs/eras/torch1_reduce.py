"""Losses are averaged by the two options of old."""

import torch
import torch.nn as nn

model = nn.Linear(6, 3)
loss_function = nn.CrossEntropyLoss(size_average=False, reduce=True)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for _ in range(5):
    scores = model(torch.randn(12, 6))
    loss = loss_function(scores, torch.randint(3, (12,), dtype=torch.long))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm(model.parameters(), 1.0)
    optimizer.step()
