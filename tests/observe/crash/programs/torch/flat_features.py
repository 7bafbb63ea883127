import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.head = nn.Linear(32 * 7 * 7, classes)

    def forward(self, images):
        maps = self.features(images)
        return self.head(maps.flatten(1))


model = Classifier()
scores = model(torch.rand(8, 1, 28, 28))
scores.sum().backward()
