"""Three kinds of points, a small network, and a loss that stops falling too early."""

import torch
from torch import nn

torch.manual_seed(0)
centres = torch.randn(3, 20) * 1.5
labels = torch.randint(0, 3, (1200,))
points = centres[labels] + torch.randn(1200, 20)

model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 3), nn.Softmax(dim=1))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

for epoch in range(10):
    for start in range(0, 1200, 60):
        optimizer.zero_grad()
        loss = criterion(model(points[start : start + 60]), labels[start : start + 60])
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}")
