import numpy as np
import torch
from torch import nn

signals = np.random.rand(6, 2, 50)
net = nn.Sequential(nn.Conv1d(2, 4, 5), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(4, 3))
out = net(torch.from_numpy(signals))
print(out.shape)
