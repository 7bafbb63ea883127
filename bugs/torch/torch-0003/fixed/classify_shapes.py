"""Sorts small colour pictures by the shape painted on them: disc, square or cross."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SHAPES = ("disc", "square", "cross")
SIZE = 28


def paint(shape, centre, radius):
    """A mask of SIZE x SIZE pixels that is 1 where the shape lies."""
    rows = torch.arange(SIZE).view(-1, 1) - centre[0]
    columns = torch.arange(SIZE).view(1, -1) - centre[1]
    if shape == "disc":
        inside = rows**2 + columns**2 <= radius**2
    elif shape == "square":
        inside = (rows.abs() <= radius) & (columns.abs() <= radius)
    else:
        arms = (rows.abs() <= 1) | (columns.abs() <= 1)
        inside = arms & (rows.abs() <= radius) & (columns.abs() <= radius)
    return inside.float()


def make_pictures(count):
    """``count`` pictures (3 x SIZE x SIZE) with a coloured shape on a noisy ground, and labels."""
    labels = torch.arange(count) % len(SHAPES)
    pictures = 0.2 * torch.rand(count, 3, SIZE, SIZE)
    for picture, label in zip(pictures, labels):
        centre = torch.randint(11, SIZE - 11, (2,))
        radius = torch.randint(5, 9, (1,))
        colour = 0.4 + 0.6 * torch.rand(3, 1, 1)
        picture += colour * paint(SHAPES[label], centre, radius)
    return pictures, labels


class ShapeNet(nn.Module):
    """Two convolutions with pooling, then three fully connected layers."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 5)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.pool = nn.MaxPool2d(2, 2)
        self.fc1 = nn.Linear(16 * 4 * 4, 120)
        self.fc2 = nn.Linear(120, 50)
        self.fc3 = nn.Linear(50, len(SHAPES))

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = x.view(x.size(0), -1)
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.fc3(x)


def train(model, pictures, labels, epochs=20):
    loader = DataLoader(TensorDataset(pictures, labels), batch_size=10, shuffle=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    for _ in range(epochs):
        for batch, target in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(batch), target)
            loss.backward()
            optimizer.step()


def main():
    torch.manual_seed(0)
    model = ShapeNet()
    train(model, *make_pictures(90))
    pictures, labels = make_pictures(20)
    with torch.no_grad():
        correct = (model(pictures).argmax(dim=1) == labels).sum().item()
    print("%d of %d validation pictures recognised" % (correct, len(labels)))


if __name__ == "__main__":
    main()
