"""A loop as the quickstart of today writes it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class NeuralNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.linear_relu_stack = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))

    def forward(self, x):
        return self.linear_relu_stack(self.flatten(x))


data = TensorDataset(torch.rand(100, 8, 8), torch.randint(0, 10, (100,)))
model, loss_fn = NeuralNetwork(), nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for X, y in DataLoader(data, batch_size=20, shuffle=True):
    loss = loss_fn(model(X), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
