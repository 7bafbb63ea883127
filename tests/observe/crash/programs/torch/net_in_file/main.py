import torch
import torch.nn.functional as F

from data import load
from model import build

settings = {"features": 24, "width": 32, "lr": 0.01}

inputs, labels = load()
model = build(settings)
optimizer = torch.optim.Adam(model.parameters(), lr=settings["lr"])
for epoch in range(3):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs), labels)
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
