import torch
from torch import nn

net = nn.Sequential(nn.Conv1d(2, 3, 3), nn.Flatten(), nn.Linear(3 * 6, 2))
signal = torch.rand(2, 8)
convolve = nn.Conv2d(1, 2, 3)
image = torch.rand(28)
print(convolve(image).shape)
