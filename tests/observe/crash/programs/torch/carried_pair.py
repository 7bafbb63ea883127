import torch
from torch import nn

rnn = nn.LSTM(3, 4, batch_first=True)
optimizer = torch.optim.SGD(rnn.parameters(), lr=0.01)
h, c = torch.zeros(1, 2, 4), torch.zeros(1, 2, 4)
for _ in range(3):
    out, (h, c) = rnn(torch.rand(2, 5, 3), (h, c))
    loss = out.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
