"""Speaker identification on synthetic MFCC sequences."""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

from model import SpeakerNet

N_MFCC, FRAMES = 13, 40


def make_utterances(n, n_speakers, seed):
    """A speaker is a characteristic spectrum plus the way it moves in time."""
    voice = np.random.RandomState(1000)
    base = voice.normal(0, 0.5, size=(n_speakers, N_MFCC))
    sway = voice.normal(0, 0.6, size=(n_speakers, N_MFCC))
    rng = np.random.RandomState(seed)
    y = rng.randint(n_speakers, size=n)
    t = np.linspace(0, 1, FRAMES)[None, :, None]
    phase = rng.uniform(0, 2 * np.pi, size=(n, 1, 1))
    speed = rng.uniform(1, 3, size=(n, 1, 1))
    x = base[y][:, None, :] + sway[y][:, None, :] * np.sin(2 * np.pi * speed * t + phase)
    x = x + rng.normal(0, 1.2, size=x.shape) + rng.normal(0, 0.3, size=(n, 1, N_MFCC))
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.long)


def evaluate(model, loader):
    model.eval()
    hits, total = 0, 0
    with torch.no_grad():
        for x, y in loader:
            hits += (model(x).argmax(dim=1) == y).sum().item()
            total += y.size(0)
    return hits / total


def main(args):
    torch.manual_seed(args.seed)
    train_set = TensorDataset(*make_utterances(2000, args.speakers, seed=1))
    val_set = TensorDataset(*make_utterances(500, args.speakers, seed=2))
    train_loader = DataLoader(train_set, batch_size=args.batch, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=100)

    model = SpeakerNet(N_MFCC, args.speakers)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(1, args.epochs + 1):
        model.train()
        running = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            running += loss.item() * y.size(0)
        print("epoch %d  loss %.4f  val acc %.3f"
              % (epoch, running / len(train_set), evaluate(model, val_loader)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--speakers", type=int, default=10)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=0)
    main(parser.parse_args())
