import json

import torch
from torch import nn

SETTINGS = json.loads('{"width": 16, "rate": "1e-3", "epochs": 2}')


def make_optimizer(net, settings):
    return torch.optim.Adam(net.parameters(), lr=settings["rate"])


net = nn.Linear(4, SETTINGS["width"])
optimizer = make_optimizer(net, SETTINGS)
for _ in range(SETTINGS["epochs"]):
    net(torch.rand(2, 4)).sum().backward()
    optimizer.step()
