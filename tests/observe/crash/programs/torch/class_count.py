import torch
from torch import nn

torch.manual_seed(0)
grades = torch.arange(1, 6).repeat(4)
features = torch.rand(20, 8)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 5))
loss = nn.functional.cross_entropy(model(features), grades)
loss.backward()
