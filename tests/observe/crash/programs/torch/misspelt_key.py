import torch
from torch import nn

settings = {"hidden": 12, "inputs": 4, "outputs": 3, "dropout": 0.1}


def build(settings):
    return nn.Sequential(
        nn.Linear(settings["inputs"], settings["hidden_size"]),
        nn.Dropout(settings["dropout"]),
        nn.Linear(settings["hidden_size"], settings["outputs"]),
    )


print(build(settings)(torch.rand(2, 4)).shape)
