import torch
from torch import nn


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.text, self.image = nn.Linear(6, 4), nn.Linear(9, 5)
        self.head = nn.Linear(9, 2)

    def forward(self, text, image):
        both = torch.cat([self.text(text), self.image(image)])
        return self.head(both)


print(Two()(torch.rand(7, 6), torch.rand(7, 9)).shape)
