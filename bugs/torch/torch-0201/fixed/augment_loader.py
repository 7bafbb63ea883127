"""Trains a pitch recogniser on clips that are loaded by two processes."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from clips import SAMPLES, JitteredClips


def seed_worker(worker):
    np.random.seed(torch.initial_seed() % 2 ** 32)


def loader(workers=2, batch_size=8):
    return DataLoader(JitteredClips(), batch_size=batch_size, shuffle=True, num_workers=workers,
                      worker_init_fn=seed_worker)


def train(epochs=2):
    model = nn.Sequential(nn.Linear(SAMPLES, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    batches = loader()
    for epoch in range(epochs):
        gains = []
        for clip, pitch, shift, gain in batches:
            optimizer.zero_grad()
            loss = criterion(model(clip), pitch)
            loss.backward()
            optimizer.step()
            gains += gain.tolist()
        print("epoch %d: loss %.3f, %d clips, %d different gains" % (epoch, loss.item(), len(gains), len(set(gains))))
    return model


if __name__ == "__main__":
    np.random.seed(1)
    torch.manual_seed(1)
    train()
