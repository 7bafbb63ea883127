import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from data import SYMBOLS, ParcelImages
from model import LabelNet


def evaluate(model, loader):
    model.eval()
    hits, total = 0, 0
    with torch.no_grad():
        for x, y in loader:
            hits += (model(x).argmax(1) == y).sum().item()
            total += len(y)
    return hits / total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=2e-3)
    args = parser.parse_args()

    torch.manual_seed(0)
    torch.set_num_threads(1)
    train_set = ParcelImages(1600, seed=1, train=True)
    test_set = ParcelImages(400, seed=2)
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=200)

    model = LabelNet(len(SYMBOLS))
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            running += loss.item() * len(y)
        acc = evaluate(model, test_loader)
        print(f"epoch {epoch + 1}: loss {running / len(train_set):.4f}  test accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
