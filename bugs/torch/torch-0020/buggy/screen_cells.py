"""Screens blood cells: tells four kinds apart by eight measurements of a flow cytometer."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

KINDS = ("lymphocyte", "monocyte", "neutrophil", "eosinophil")
UNITS = torch.tensor([400.0, 250.0, 90.0, 60.0, 12.0, 8.0, 3.0, 1.5])


def measure(count, generator):
    """``count`` cells: eight channels in the units of the instrument, and the kinds."""
    typical = 3 + torch.randn(len(KINDS), len(UNITS), generator=torch.Generator().manual_seed(11))
    kinds = torch.arange(count) % len(KINDS)
    channels = typical[kinds] + 0.7 * torch.randn(count, len(UNITS), generator=generator)
    return channels * UNITS, kinds


def standardize(channels, mean, deviation):
    return (channels - mean) / deviation


def make_loaders(generator, batch_size=32):
    channels, kinds = measure(480, generator)
    test_channels, test_kinds = measure(240, generator)
    mean, deviation = channels.mean(dim=0), channels.std(dim=0)
    train_set = TensorDataset(standardize(channels, mean, deviation), kinds)
    test_set = TensorDataset(test_channels, test_kinds)
    return DataLoader(train_set, batch_size, shuffle=True), DataLoader(test_set, batch_size=240)


def train_epoch(model, loader, criterion, optimizer):
    model.train()
    loss_sum, correct = 0.0, 0
    for channels, kinds in loader:
        optimizer.zero_grad()
        scores = model(channels)
        loss = criterion(scores, kinds)
        loss.backward()
        optimizer.step()
        loss_sum += loss.item() * len(kinds)
        correct += (scores.argmax(dim=1) == kinds).sum().item()
    return loss_sum / len(loader.dataset), correct / len(loader.dataset)


@torch.no_grad()
def test(model, loader, criterion):
    model.eval()
    loss_sum, correct = 0.0, 0
    for channels, kinds in loader:
        scores = model(channels)
        loss_sum += criterion(scores, kinds).item() * len(kinds)
        correct += (scores.argmax(dim=1) == kinds).sum().item()
    return loss_sum / len(loader.dataset), correct / len(loader.dataset)


def main(seed=0, epochs=15):
    torch.manual_seed(seed)
    train_loader, test_loader = make_loaders(torch.Generator().manual_seed(seed))
    model = nn.Sequential(nn.Linear(len(UNITS), 32), nn.ReLU(), nn.Linear(32, len(KINDS)))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(epochs):
        train_loss, train_accuracy = train_epoch(model, train_loader, criterion, optimizer)
        test_loss, test_accuracy = test(model, test_loader, criterion)
        print(
            f"epoch {epoch + 1:2d}: train loss {train_loss:.3f} acc {train_accuracy:.3f}"
            f" | test loss {test_loss:.3f} acc {test_accuracy:.3f}"
        )
    return test_loss


if __name__ == "__main__":
    main()
