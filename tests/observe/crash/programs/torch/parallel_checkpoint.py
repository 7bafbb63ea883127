import os
import tempfile

import torch
from torch import nn


def make():
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))


def save(model, epoch, path):
    torch.save({"epoch": epoch, "model": model.state_dict()}, path)


path = os.path.join(tempfile.mkdtemp(), "last.pt")
trained = nn.DataParallel(make())
save(trained, 3, path)

model = make()
checkpoint = torch.load(path, map_location="cpu")
model.load_state_dict(checkpoint["model"])
print(model(torch.rand(1, 4)))
