"""Pretrain on the common species, then fit a new head for the rare ones."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from images import BASE_SPECIES, NEW_SPECIES, make_set
from net import FlowerNet


def run(net, optimizer, train_loader, val_loader, epochs, tag, frozen=False):
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        net.train()
        if frozen:
            net.backbone.eval()
        total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"[{tag}] epoch {epoch + 1}: loss {total / len(train_loader):.3f}  "
              f"val acc {accuracy(net, val_loader):.3f}")


@torch.no_grad()
def accuracy(net, loader):
    net.eval()
    hits = 0
    for x, y in loader:
        hits += (net(x).argmax(dim=1) == y).sum().item()
    return hits / len(loader.dataset)


def loaders(species, n_train, n_val, rng):
    train = TensorDataset(*make_set(species, n_train, rng))
    val = TensorDataset(*make_set(species, n_val, rng))
    return DataLoader(train, batch_size=32, shuffle=True), DataLoader(val, batch_size=128)


def main():
    torch.manual_seed(2)
    rng = np.random.default_rng(2)

    # stage 1: common species, many pictures
    base_train, base_val = loaders(BASE_SPECIES, 150, 40, rng)
    net = FlowerNet(len(BASE_SPECIES))
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    run(net, optimizer, base_train, base_val, epochs=6, tag="base")

    # stage 2: rare species, few pictures, frozen features
    new_train, new_val = loaders(NEW_SPECIES, 40, 40, rng)
    net.freeze_backbone()
    optimizer = torch.optim.Adam(net.head.parameters(), lr=1e-2)
    net.replace_head(len(NEW_SPECIES))
    run(net, optimizer, new_train, new_val, epochs=15, tag="new", frozen=True)
    print(f"rare species accuracy {accuracy(net, new_val):.3f}")


if __name__ == "__main__":
    main()
