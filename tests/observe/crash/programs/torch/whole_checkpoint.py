import os
import tempfile

import torch
from torch import nn

net = nn.Linear(3, 2)
optimizer = torch.optim.Adam(net.parameters())
path = os.path.join(tempfile.mkdtemp(), "last.pt")
torch.save({"model": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3}, path)

fresh = nn.Linear(3, 2)
state = torch.load(path)
fresh.load_state_dict(state)
