"""Tiny keyword spotter: log-spectrogram frames -> GRU -> word class."""
import argparse

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset

SR = 4000
WINDOW, HOP = 128, 64
WORDS = ["up", "down", "stay", "jump"]


def synth(word, rng):
    n = int(SR * rng.uniform(0.25, 0.6))
    t = np.arange(n) / SR
    frac = t / t[-1]
    base = rng.uniform(300, 500)
    if word == 0:
        freq = base + 500 * frac
    elif word == 1:
        freq = base + 500 * (1 - frac)
    elif word == 2:
        freq = np.full(n, base + 250)
    else:
        freq = np.where(frac < 0.5, base, base + 500)
    phase = 2 * np.pi * np.cumsum(freq) / SR
    return np.sin(phase) * np.hanning(n) + rng.normal(0, 0.15, n)


def log_spectrogram(wave):
    count = 1 + (len(wave) - WINDOW) // HOP
    frames = np.stack([wave[i * HOP:i * HOP + WINDOW] for i in range(count)])
    power = np.abs(np.fft.rfft(frames * np.hanning(WINDOW), axis=1))[:, :48] ** 2
    return np.log(power + 1e-3).astype("float32")


class KeywordDataset(Dataset):
    def __init__(self, size, seed):
        rng = np.random.default_rng(seed)
        self.labels = rng.integers(0, len(WORDS), size)
        self.features = [log_spectrogram(synth(w, rng)) for w in self.labels]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return torch.from_numpy(self.features[i]), int(self.labels[i])


def collate(batch):
    features, labels = zip(*batch)
    lengths = torch.tensor([len(f) for f in features])
    return pad_sequence(features, batch_first=True), lengths, torch.tensor(labels)


class Spotter(nn.Module):
    def __init__(self, bins=48, hidden=48, classes=len(WORDS)):
        super().__init__()
        self.norm = nn.LayerNorm(bins)
        self.gru = nn.GRU(bins, hidden, batch_first=True)
        self.out = nn.Linear(hidden, classes)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.norm(x), lengths, batch_first=True, enforce_sorted=False)
        _, last = self.gru(packed)
        return self.out(last[-1])


def evaluate(model, loader):
    model.eval()
    hits = total = 0
    with torch.no_grad():
        for x, lengths, y in loader:
            hits += (model(x, lengths).argmax(1) == y).sum().item()
            total += len(y)
    return hits / total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    train = DataLoader(KeywordDataset(800, args.seed), args.batch_size, shuffle=True, collate_fn=collate)
    val = DataLoader(KeywordDataset(200, args.seed + 1), args.batch_size, collate_fn=collate)
    model = Spotter()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for x, lengths, y in train:
            optimizer.zero_grad()
            loss = criterion(model(x, lengths), y)
            loss.backward()
            optimizer.step()
            running += loss.item() * len(y)
        print(f"epoch {epoch + 1}: loss {running / len(train.dataset):.4f}  val acc {evaluate(model, val):.3f}")


if __name__ == "__main__":
    main()
