import numpy as np
import torch
from torch import nn

table = np.random.default_rng(1).random((6, 3))
net = nn.Linear(3, 1)
print(net(table).shape)
