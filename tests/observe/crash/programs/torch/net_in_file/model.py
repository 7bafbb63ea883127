import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, features, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(features, width), nn.Tanh(), nn.Linear(width, width))

    def forward(self, x):
        return self.layers(x)


def build(settings):
    return nn.Sequential(Encoder(settings["features"], settings["width"]), nn.Linear(settings["width"], 3))
