import torch
from torch import nn

net = nn.GRU(3, 5, batch_first=True)
head = nn.Linear(5, 1)
optimizer = torch.optim.Adam([*net.parameters(), *head.parameters()], lr=1e-2)
x, y = torch.rand(10, 4, 3), torch.rand(10)
for step in range(3):
    optimizer.zero_grad()
    out, last = net(x)
    guess = head(last[0]).squeeze(1).tolist()
    loss = nn.functional.mse_loss(torch.tensor(guess), y)
    loss.backward()
    optimizer.step()
