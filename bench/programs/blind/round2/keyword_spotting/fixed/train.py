import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from data import WORDS, CommandClips, pad_clips
from model import SpotterNet


def accuracy(model, loader):
    model.eval()
    hits = total = 0
    with torch.no_grad():
        for clips, lengths, labels in loader:
            hits += (model(clips, lengths).argmax(1) == labels).sum().item()
            total += len(labels)
    return hits / total


def main():
    torch.manual_seed(0)
    train_set = CommandClips(800, seed=1)
    valid_set = CommandClips(200, seed=2)
    frames = np.concatenate(train_set.clips)
    mean, std = frames.mean(axis=0), frames.std(axis=0)
    train_set.standardize(mean, std)
    valid_set.standardize(mean, std)

    train_loader = DataLoader(train_set, batch_size=32, shuffle=True, collate_fn=pad_clips)
    valid_loader = DataLoader(valid_set, batch_size=64, collate_fn=pad_clips)

    model = SpotterNet(bands=frames.shape[1], classes=len(WORDS))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(1, 7):
        model.train()
        running = 0.0
        for clips, lengths, labels in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(clips, lengths), labels)
            loss.backward()
            optimizer.step()
            running += loss.item() * len(labels)
        print(f"epoch {epoch}  loss {running / len(train_set):.4f}  "
              f"valid acc {accuracy(model, valid_loader):.3f}")


if __name__ == "__main__":
    main()
