"""Tells four spoken keywords apart by their spectrograms.

A keyword is drawn as a formant that moves through twelve frequency bands while it is spoken:
it rises, falls, peaks or dips. Loudness, start and background noise differ from take to take.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

KEYWORDS = ("hello", "stop", "left", "right")
FRAMES = 24
BANDS = 12


def formant_paths():
    """The band in which each keyword sounds, frame by frame."""
    time = torch.linspace(0, 1, FRAMES)
    bump = torch.sin(math.pi * time)
    low, high = 2.0, BANDS - 3.0
    rise = low + (high - low) * time
    peak = low + (high - low) * bump
    return torch.stack([rise, rise.flip(0), peak, high + low - peak])


def record_takes(count, generator):
    """``count`` noisy spectrograms (bands x frames) and the keyword spoken in each."""
    labels = torch.randint(len(KEYWORDS), (count,), generator=generator)
    paths = formant_paths()[labels]
    paths = paths + torch.randn(count, 1, generator=generator)
    bands = torch.arange(BANDS).view(1, BANDS, 1)
    loudness = 1 + torch.rand(count, 1, 1, generator=generator)
    spectrograms = loudness * torch.exp(-((bands - paths.unsqueeze(1)) ** 2) / 2)
    noise = 0.4 * torch.randn(count, BANDS, FRAMES, generator=generator)
    return spectrograms + noise, labels


class KeywordSpotter(nn.Module):
    def __init__(self, channels=16):
        super().__init__()
        self.first = nn.Conv1d(BANDS, channels, kernel_size=5, padding=2)
        self.second = nn.Conv1d(channels, channels, kernel_size=5, padding=2)
        self.classifier = nn.Linear(channels, len(KEYWORDS))

    def forward(self, spectrograms):
        features = F.relu(self.first(spectrograms))
        features = F.relu(self.second(features))
        return self.classifier(features.mean(dim=2))


def train(model, takes, labels, epochs=8, clip=5.0):
    """Trains the model in place and returns the mean loss of every epoch."""
    loader = DataLoader(TensorDataset(takes, labels), batch_size=32, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    history = []
    for _ in range(epochs):
        total = 0.0
        for batch_takes, batch_labels in loader:
            loss = F.cross_entropy(model(batch_takes), batch_labels)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.step()
            total += loss.item()
        history.append(total / len(loader))
    return history


@torch.no_grad()
def accuracy(model, takes, labels):
    return (model(takes).argmax(dim=1) == labels).float().mean().item()


def run(seed=0):
    """Trains on 320 takes; returns the losses and the accuracy on 256 other takes."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = KeywordSpotter()
    history = train(model, *record_takes(320, generator))
    return history, accuracy(model, *record_takes(256, generator))


if __name__ == "__main__":
    losses, held_out = run()
    for number, loss in enumerate(losses, start=1):
        print("epoch %d: loss %.3f" % (number, loss))
    print("held-out accuracy: %.3f" % held_out)
