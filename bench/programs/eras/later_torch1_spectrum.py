"""A filter in the domain of frequencies."""

import torch
import torch.nn as nn


class Spectral(nn.Module):
    def __init__(self, n):
        super(Spectral, self).__init__()
        self.n = n
        self.weight = nn.Parameter(torch.ones(n // 2 + 1, 2))

    def forward(self, x):
        freq = torch.rfft(x, 1, onesided=True)
        return torch.irfft(freq * self.weight, 1, onesided=True, signal_sizes=(self.n,))


model = Spectral(16)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(10):
    x = torch.randn(8, 16)
    loss = ((model(x) - x.roll(1, 1)) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("epoch {}: {:.4f}".format(epoch, loss.item()))
