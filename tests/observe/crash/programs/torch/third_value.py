import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.rand(12, 3), torch.rand(12, 1), torch.rand(12)), batch_size=4)
net = torch.nn.Linear(3, 1)
for x, y in loader:
    loss = (net(x) - y).abs().mean()
    loss.backward()
