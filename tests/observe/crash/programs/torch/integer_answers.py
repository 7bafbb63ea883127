import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
points = torch.rand(12, 2)
inside = (points.norm(dim=1) < 0.7).long()
loader = DataLoader(TensorDataset(points, inside), batch_size=4)
net = nn.Sequential(nn.Linear(2, 1), nn.Flatten(0))
criterion = nn.BCEWithLogitsLoss()
for batch, answers in loader:
    criterion(net(batch), answers).backward()
