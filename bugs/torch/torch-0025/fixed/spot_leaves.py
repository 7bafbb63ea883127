"""Tells five kinds of leaves apart with a small network of depthwise separable convolutions."""

import math

import torch
from torch import nn

KINDS = 5
SIZE = 12


def press(count, generator):
    """``count`` pressed leaves (1 x SIZE x SIZE); the kinds differ in the direction of their veins."""
    labels = torch.arange(count) % KINDS
    angle = (labels * math.pi / KINDS + 0.08 * torch.randn(count, generator=generator)).view(-1, 1, 1)
    phase = 2 * math.pi * torch.rand(count, 1, 1, generator=generator)
    steps = torch.arange(SIZE, dtype=torch.float32)
    rows, columns = torch.meshgrid(steps, steps, indexing="ij")
    veins = torch.sin(1.6 * (columns * torch.cos(angle) + rows * torch.sin(angle)) + phase)
    leaves = veins + 0.6 * torch.randn(count, SIZE, SIZE, generator=generator)
    return (leaves / leaves.std()).unsqueeze(1), labels


def separable(inputs, outputs, stride):
    return nn.Sequential(
        nn.Conv2d(inputs, inputs, 3, stride=stride, padding=1, groups=inputs, bias=False),
        nn.BatchNorm2d(inputs),
        nn.ReLU6(),
        nn.Conv2d(inputs, outputs, 1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU6(),
    )


class LeafNet(nn.Module):
    def __init__(self, width=8, dropout=0.2):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 5, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU6(),
            separable(width, 2 * width, stride=2),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
        )
        self.classifier = nn.Sequential(
            nn.Dropout(dropout),
            nn.Linear(2 * width, KINDS),
        )

    def forward(self, leaves):
        return self.classifier(self.features(leaves))


def evaluate(model, criterion, leaves, labels):
    model.eval()
    with torch.no_grad():
        scores = model(leaves)
        return criterion(scores, labels).item(), (scores.argmax(dim=1) == labels).float().mean().item()


def main(seed=0, epochs=10, batch_size=25):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    leaves, labels = press(400, generator)
    held_out = press(240, generator)
    model = LeafNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    for epoch in range(epochs):
        model.train()
        running, correct = 0.0, 0
        for batch in torch.randperm(len(labels)).split(batch_size):
            scores = model(leaves[batch])
            loss = criterion(scores, labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item() * len(batch)
            correct += (scores.argmax(dim=1) == labels[batch]).sum().item()
        held_out_loss, accuracy = evaluate(model, criterion, *held_out)
        print(
            f"Epoch: [{epoch}]  Loss {running / len(labels):.3f}  Prec@1 {100 * correct / len(labels):5.1f}"
            f"  Val loss {held_out_loss:.3f}  Val Prec@1 {100 * accuracy:5.1f}"
        )
    return running / len(labels)


if __name__ == "__main__":
    main()
