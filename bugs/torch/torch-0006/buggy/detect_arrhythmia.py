"""Finds heartbeats out of rhythm in short one-lead recordings with a small one-dimensional CNN."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SAMPLES = 128


def record_heart(out_of_rhythm, rng):
    """One recording with a spike per beat; out of rhythm, one of the beats comes too early."""
    beats = np.arange(10, SAMPLES, 24) + rng.integers(0, 8)
    if out_of_rhythm:
        beats[rng.integers(1, 4)] -= rng.integers(8, 12)
    time = np.arange(SAMPLES)[:, None]
    spikes = np.exp(-((time - beats) ** 2) / 4.0).sum(axis=1)
    return spikes + 0.1 * rng.standard_normal(SAMPLES)


def record_patients(count, rng):
    """``count`` recordings (1 x SAMPLES each) and their labels: 1 is out of rhythm, 0 is not."""
    labels = rng.integers(0, 2, size=count)
    signals = np.stack([record_heart(label, rng) for label in labels])
    return torch.tensor(signals[:, None], dtype=torch.float32), torch.from_numpy(labels)


class RhythmNet(nn.Module):
    """One output per recording: the log-odds that it is out of rhythm."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 8, 9, stride=2), nn.ReLU(), nn.Conv1d(8, 16, 21, stride=2), nn.ReLU()
        )
        self.output = nn.Linear(16, 1)

    def forward(self, signals):
        return self.output(self.features(signals).amax(dim=2))


def train(model, signals, labels, epochs=20):
    loader = DataLoader(TensorDataset(signals, labels), batch_size=32, shuffle=True)
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(epochs):
        for batch, target in loader:
            optimizer.zero_grad()
            loss = criterion(model(batch), target.unsqueeze(1))
            loss.backward()
            optimizer.step()


def accuracy(model, signals, labels):
    with torch.no_grad():
        alarms = model(signals).squeeze(1) > 0
    return (alarms == labels.bool()).float().mean().item()


def main():
    rng = np.random.default_rng(0)
    torch.manual_seed(0)
    model = RhythmNet()
    train(model, *record_patients(256, rng))
    print("accuracy on new patients: %.3f" % accuracy(model, *record_patients(128, rng)))


if __name__ == "__main__":
    main()
