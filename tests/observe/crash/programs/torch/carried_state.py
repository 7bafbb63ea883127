import torch
from torch import nn

rnn = nn.GRU(3, 4, batch_first=True)
head = nn.Linear(4, 1)
optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.01)
hidden = torch.zeros(1, 2, 4)
for _ in range(3):
    out, hidden = rnn(torch.rand(2, 5, 3), hidden)
    loss = head(out).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
