"""One client of a federated project: an electronic nose learns six gases from its share of sniffs."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

GASES = ("air", "ethanol", "ammonia", "acetone", "methane", "toluene")
CLIENTS = 5
SENSORS = 16


def sniff(count, generator):
    """``count`` readings of all sensors, scaled to unit size, and the gases that were there."""
    response = torch.randn(len(GASES), SENSORS, generator=torch.Generator().manual_seed(7))
    labels = torch.arange(count) % len(GASES)
    concentration = 0.8 + 0.4 * torch.rand(count, 1, generator=generator)
    readings = concentration * response[labels]
    readings = readings + 0.7 * torch.randn(count, SENSORS, generator=generator)
    return TensorDataset(readings / readings.std(), labels)


def divide(sniffs, generator):
    """Deals the sniffs out to the clients; every client gets its own subset."""
    dealt = torch.randperm(len(sniffs), generator=generator).view(-1, CLIENTS)
    return [Subset(sniffs, dealt[client].tolist()) for client in range(CLIENTS)]


def build_model(hidden=32):
    return nn.Sequential(
        nn.Linear(SENSORS, hidden),
        nn.ReLU(),
        nn.Linear(hidden, len(GASES)),
    )


def train_epoch(model, loader, optimizer):
    model.train()
    losses = []
    for readings, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(readings), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


def evaluate(model, readings, labels):
    model.eval()
    with torch.no_grad():
        scores = model(readings)
        accuracy = (scores.argmax(dim=1) == labels).float().mean().item()
        return F.cross_entropy(scores, labels).item(), accuracy


def main(seed=0, client=0, epochs=42):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    shares = divide(sniff(1200, generator), generator)
    test_set = sniff(480, generator).tensors
    loader = DataLoader(shares[client], batch_size=48, shuffle=True)
    model = build_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-3)
    for epoch in range(1, epochs + 1):
        train_loss = train_epoch(model, loader, optimizer)
        test_loss, accuracy = evaluate(model, *test_set)
        print(
            f"client {client} | epoch {epoch:2d} | train loss {train_loss:.4f}"
            f" | test loss {test_loss:.4f} | test acc {100 * accuracy:.1f}%"
        )
    return test_loss


if __name__ == "__main__":
    main()
