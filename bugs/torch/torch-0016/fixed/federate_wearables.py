"""Federated learning on wearables: six wrists, five activities, one shared model.

Every client trains on its own part of the recordings; after each round the server averages the
models and tests the result on recordings that no client has.
"""

import copy
import math

import torch
import torch.nn.functional as F
from torch import nn

ACTIVITIES = ("rest", "walk", "run", "cycle", "climb")
CLIENTS = 6
SAMPLES = 40


def record(count, generator):
    """``count`` traces of wrist acceleration (SAMPLES values) and the activity behind each."""
    labels = torch.arange(count) % len(ACTIVITIES)
    frequency = torch.tensor([0.3, 1.0, 2.2, 1.5, 0.7])[labels].view(-1, 1)
    strength = torch.tensor([0.2, 0.9, 1.3, 0.7, 1.1])[labels].view(-1, 1)
    frequency = frequency * (1 + 0.05 * torch.randn(count, 1, generator=generator))
    phase = 2 * math.pi * torch.rand(count, 1, generator=generator)
    time = torch.linspace(0, 4, SAMPLES)
    motion = strength * torch.sin(2 * math.pi * frequency * time + phase)
    return motion + 0.4 * torch.randn(count, SAMPLES, generator=generator), labels


def divide(count):
    """Deals ``count`` recordings out to the clients: one row of numbers for each."""
    return torch.randperm(count).view(CLIENTS, -1)


class ActivityNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.motion = nn.Conv1d(1, 12, kernel_size=9)
        self.output = nn.Linear(24, len(ACTIVITIES))

    def forward(self, traces):
        features = F.relu(self.motion(traces.unsqueeze(1)))
        return self.output(torch.cat([features.mean(dim=2), features.amax(dim=2)], dim=1))


def train_client(model, traces, labels, epochs=2, batch_size=25):
    """Trains a client's copy on its own recordings and returns the mean loss of its last epoch."""
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(epochs):
        total = 0.0
        for batch in torch.randperm(len(labels)).split(batch_size):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(traces[batch]), labels[batch])
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
    return total / len(labels)


def average(models):
    states = [model.state_dict() for model in models]
    return {name: torch.stack([state[name] for state in states]).mean(dim=0) for name in states[0]}


def evaluate(model, traces, labels):
    model.eval()
    with torch.no_grad():
        scores = model(traces)
        accuracy = (scores.argmax(dim=1) == labels).float().mean().item()
        return F.cross_entropy(scores, labels).item(), accuracy


def main(seed=0, rounds=12):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    traces, labels = record(900, generator)
    test_set = record(300, generator)
    parts = divide(len(labels))
    server = ActivityNet()
    for number in range(1, rounds + 1):
        clients = [copy.deepcopy(server) for _ in range(CLIENTS)]
        losses = [train_client(client, traces[part], labels[part]) for client, part in zip(clients, parts)]
        server.load_state_dict(average(clients))
        test_loss, accuracy = evaluate(server, *test_set)
        print(
            f"round {number:2d} | train loss {sum(losses) / CLIENTS:.4f}"
            f" | test loss {test_loss:.4f} | test acc {100 * accuracy:.1f}%"
        )
    return test_loss


if __name__ == "__main__":
    main()
