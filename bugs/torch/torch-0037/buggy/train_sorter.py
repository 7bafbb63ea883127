"""Trains the bottle sorter and writes a checkpoint."""

import torch
from torch import nn

from sorter import BottleSorter, make_bottles


def train(path, seed=0, epochs=15, batch_size=50):
    torch.manual_seed(seed)
    features, kinds = make_bottles(600, seed)
    model = nn.DataParallel(BottleSorter())  # uses all devices of the training machine
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        for rows in torch.randperm(len(kinds)).split(batch_size):
            loss = nn.functional.cross_entropy(model(features[rows]), kinds[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    accuracy = (model(features).argmax(dim=1) == kinds).float().mean().item()
    print(f"trained: accuracy {accuracy:.3f}")
    torch.save({"state_dict": model.state_dict(), "epoch": epochs}, path)
