"""Diagnoses ball bearings by their vibration: sound, or worn on the ball, the inner or the outer race."""

import math

import torch
import torch.nn.functional as F
from torch import nn

STATES = ("sound", "ball", "inner", "outer")
SAMPLES = 48


def vibrate(count, generator):
    """``count`` traces (1 x SAMPLES) and the states of the bearings."""
    labels = torch.arange(count) % len(STATES)
    frequency = torch.tensor([0.05, 0.12, 0.20, 0.30])[labels].view(-1, 1)
    phase = 2 * math.pi * torch.rand(count, 1, generator=generator)
    traces = torch.sin(2 * math.pi * frequency * torch.arange(SAMPLES) + phase)
    traces = traces + 0.6 * torch.randn(count, SAMPLES, generator=generator)
    return (traces / traces.std()).unsqueeze(1), labels


class BearingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(1, 8, kernel_size=9)
        self.conv2 = nn.Conv1d(8, 16, kernel_size=5)
        self.fc = nn.Linear(16, len(STATES))

    def forward(self, traces):
        features = F.relu(self.conv1(traces))
        features = F.relu(self.conv2(features))
        return self.fc(features.mean(dim=2))


def train(model, traces, labels, held_out, lr=0.05, epochs=14, warmup=10, batch_size=20):
    """Trains with a rate that rises to ``lr`` during the first epochs and stays there."""
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=warmup)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for batch in torch.randperm(len(labels)).split(batch_size):
            loss = F.cross_entropy(model(traces[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        scheduler.step()
        accuracy = test(model, *held_out)
        print(f"epoch {epoch:2d}  loss {total / len(labels):.4f}  top1 {100 * accuracy:.2f}")
    return accuracy


@torch.no_grad()
def test(model, traces, labels):
    model.eval()
    return (model(traces).argmax(dim=1) == labels).float().mean().item()


def main(seed=0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    traces, labels = vibrate(320, generator)
    return train(BearingNet(), traces, labels, vibrate(200, generator))


if __name__ == "__main__":
    main()
