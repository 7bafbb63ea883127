"""Reads six road signs, painted as 12 x 12 pixels, with a small convolutional network."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SIZE = 12
SIGNS = ("stop", "yield", "ahead", "left", "right", "limit")


def paint():
    """The six signs on a dark ground."""
    rows, columns = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    down, right = rows - 5.5, columns - 5.5
    disc = (down**2 + right**2) < 22
    ring = disc & ((down**2 + right**2) > 10)
    triangle = (rows < 10) & (rows > 1) & (right.abs() < (10 - rows) / 2 + 0.5)
    bar = right.abs() < 1
    arrow_left = (right < 3) & (down.abs() < (right + 5) / 2) & (right > -5)
    return torch.stack([disc, triangle, disc & bar, arrow_left, arrow_left.flip(1), ring]).float()


def photograph(count, generator):
    """``count`` photographs with shifts, changing light and noise, and the numbers of the signs."""
    labels = torch.arange(count) % len(SIGNS)
    light = 0.6 + 0.8 * torch.rand(count, 1, 1, generator=generator)
    pictures = light * paint()[labels]
    for picture, (down, right) in zip(pictures, torch.randint(-1, 2, (count, 2), generator=generator).tolist()):
        picture.copy_(picture.roll((down, right), dims=(0, 1)))
    pictures = pictures + 0.25 * torch.randn(count, SIZE, SIZE, generator=generator)
    return TensorDataset(((pictures - 0.3) / 0.6).unsqueeze(1), labels)


class SignNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3)
        self.conv2 = nn.Conv2d(8, 16, 3)
        self.fc = nn.Linear(16 * 3 * 3, len(SIGNS))

    def forward(self, pictures):
        features = F.max_pool2d(F.relu(self.conv1(pictures)), 2)
        features = F.relu(self.conv2(features))
        return self.fc(features.flatten(1))


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = sum((model(pictures).argmax(dim=1) == labels).sum().item() for pictures, labels in loader)
    return hits / len(loader.dataset)


def train(model, train_loader, valid_loader, max_epoch):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.005, momentum=0.9)
    for epoch in range(max_epoch):
        model.train()
        total_loss = 0.0
        for pictures, labels in train_loader:
            loss = F.cross_entropy(model(pictures), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total_loss += loss.item()
        print(f"===========epoch {epoch}===========")
        print(f"total_loss:{total_loss:.4f}, valid_acc:{accuracy(model, valid_loader):.4f}")


def parse_arguments(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--max_epoch", type=int, default=12)
    parser.add_argument("--batch_size", type=int, default=24)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


def main(options):
    torch.manual_seed(options.seed)
    generator = torch.Generator().manual_seed(options.seed)
    train_loader = DataLoader(photograph(480, generator), options.batch_size, shuffle=True)
    valid_loader = DataLoader(photograph(240, generator), batch_size=240)
    model = SignNet()
    train(model, train_loader, valid_loader, options.max_epoch)
    return accuracy(model, valid_loader)


if __name__ == "__main__":
    main(parse_arguments())
