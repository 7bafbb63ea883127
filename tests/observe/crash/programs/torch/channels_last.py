import numpy as np
import torch
from torch import nn

photos = np.random.default_rng(0).random((4, 16, 16, 3)).astype("float32")
batch = torch.from_numpy(photos)
net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU())
print(net(batch).shape)
