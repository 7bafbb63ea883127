"""Tells four woven fabrics apart by a close-up of 12 x 12 pixels.

The close-ups come from an archive. Half of it is for training, half for validation.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset

FABRICS = ("twill", "rib", "cord", "check")
SIZE = 12


def open_archive(per_fabric, generator):
    """All close-ups and their fabrics, in the order in which they were filed."""
    rows = torch.arange(SIZE).view(1, -1, 1)
    columns = torch.arange(SIZE).view(1, 1, -1)
    pictures = []
    for fabric in FABRICS:
        phase = 2 * math.pi * torch.rand(per_fabric, 1, 1, generator=generator)
        across = torch.sin(2 * math.pi * columns / 4 + phase)
        down = torch.sin(2 * math.pi * rows / 4 + phase)
        weave = {
            "twill": torch.sin(2 * math.pi * (rows + columns) / 4 + phase),
            "rib": across.expand(-1, SIZE, -1),
            "cord": down.expand(-1, -1, SIZE),
            "check": across * down * 1.4,
        }[fabric]
        pictures.append(weave + 0.7 * torch.randn(per_fabric, SIZE, SIZE, generator=generator))
    labels = torch.arange(len(FABRICS)).repeat_interleave(per_fabric)
    return TensorDataset(torch.cat(pictures).unsqueeze(1), labels)


def split(archive, batch_size=32, portion=0.5):
    """One loader for training and one for validation."""
    indices = torch.randperm(len(archive)).tolist()
    border = int(portion * len(archive))
    train_sampler = SubsetRandomSampler(indices[:border])
    valid_sampler = SubsetRandomSampler(indices[border:])
    train_loader = DataLoader(archive, batch_size=batch_size, sampler=train_sampler)
    valid_loader = DataLoader(archive, batch_size=batch_size, sampler=valid_sampler)
    return train_loader, valid_loader


def build_model():
    return nn.Sequential(
        nn.Conv2d(1, 8, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(16 * 2 * 2, len(FABRICS)),
    )


def run_epoch(model, loader, optimizer=None):
    """Mean loss and accuracy over the loader; trains the model when there is an optimizer."""
    model.train(optimizer is not None)
    total, correct, seen = 0.0, 0, 0
    with torch.set_grad_enabled(optimizer is not None):
        for pictures, labels in loader:
            scores = model(pictures)
            loss = F.cross_entropy(scores, labels)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(labels)
            correct += (scores.argmax(dim=1) == labels).sum().item()
            seen += len(labels)
    return total / seen, correct / seen


def main(seed=0, epochs=10):
    torch.manual_seed(seed)
    train_loader, valid_loader = split(open_archive(120, torch.Generator().manual_seed(seed)))
    model = build_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for epoch in range(epochs):
        loss, accuracy = run_epoch(model, train_loader, optimizer)
        valid_loss, valid_accuracy = run_epoch(model, valid_loader)
        print(
            f"Epoch {epoch + 1:2d}/{epochs}  Train: loss {loss:.3f} prec@1 {accuracy:.2%}"
            f"  Valid: loss {valid_loss:.3f} prec@1 {valid_accuracy:.2%}"
        )
    return valid_accuracy


if __name__ == "__main__":
    main()
