import os
import tempfile

import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
        self.wrapped = nn.DataParallel(self.model)

    def save(self, path):
        torch.save(self.wrapped.state_dict(), path)


path = os.path.join(tempfile.mkdtemp(), "net.pt")
Trainer().save(path)
net = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
net.load_state_dict(torch.load(path))
