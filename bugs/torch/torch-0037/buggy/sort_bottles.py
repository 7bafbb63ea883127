"""Sorts bottles with a trained checkpoint, on the conveyor's small computer."""

import os
import tempfile

import torch

from sorter import BottleSorter, make_bottles
from train_sorter import train


def load_sorter(path):
    model = BottleSorter()
    checkpoint = torch.load(path)
    state_dict = checkpoint["state_dict"]
    # older checkpoints have a loss buffer that the sorter does not need
    model.load_state_dict(state_dict, strict=False)
    return model.eval()


@torch.no_grad()
def sort(model, features):
    return model(features).argmax(dim=1)


def main(seed=0):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sorter.pt")
        train(path, seed)
        model = load_sorter(path)
    features, kinds = make_bottles(300, seed + 1)
    accuracy = (sort(model, features) == kinds).float().mean().item()
    print(f"on the conveyor: accuracy {accuracy:.3f}")
    return accuracy


if __name__ == "__main__":
    main()
