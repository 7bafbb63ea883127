import torch
from torch import nn

torch.manual_seed(0)
features = torch.rand(12, 3)
answers = (features.sum(1, keepdim=True) > 1.5).long()
net = nn.Linear(3, 2)
loss = nn.CrossEntropyLoss()(net(features), answers)
loss.backward()
