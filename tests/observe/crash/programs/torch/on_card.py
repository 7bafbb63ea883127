import torch
from torch import nn

device = torch.device("cuda")
net = nn.Linear(3, 1).to(device)
print(net(torch.rand(2, 3, device=device)).shape)
