import torch
from torch import nn


class Stem(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.first = nn.Conv2d(3, width, 3, padding=1)
        self.second = nn.Conv2d(16, 24, 3, padding=1)

    def forward(self, image):
        return self.second(torch.relu(self.first(image)))


print(Stem()(torch.rand(2, 3, 9, 9)).shape)
