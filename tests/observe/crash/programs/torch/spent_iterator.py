import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.rand(20, 3), torch.rand(20, 1))
loader = DataLoader(data, batch_size=5)
net = nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
batches = iter(loader)
for epoch in range(3):
    for step in range(len(loader)):
        x, y = next(batches)
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    print(epoch)
