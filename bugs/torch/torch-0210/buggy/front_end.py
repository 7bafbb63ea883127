from torch import nn


class FrontEnd(nn.Module):
    """Makes a vector of each image of a film."""

    def __init__(self, size=24):
        super().__init__()
        self.maps = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1),
            nn.BatchNorm2d(16),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(2),
        )
        self.vector = nn.Sequential(nn.Flatten(), nn.Linear(64, size), nn.BatchNorm2d(size))

    def forward(self, films):
        images = films.flatten(0, 1)
        return self.vector(self.maps(images)).unflatten(0, films.shape[:2])
