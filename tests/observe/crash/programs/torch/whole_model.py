import os
import tempfile

import torch
from torch import nn

path = os.path.join(tempfile.mkdtemp(), "whole.pt")
torch.save(nn.Sequential(nn.Linear(2, 2)), path)
model = torch.load(path)
print(model)
