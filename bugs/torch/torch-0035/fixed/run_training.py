"""Trains a command recognizer with DistributedDataParallel, one process per device."""

import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from recognizer import CommandNet
from recordings import load_batches


def train(rank, world_size, store, epochs=2):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=world_size)
    torch.manual_seed(1234)
    model = DistributedDataParallel(CommandNet(), find_unused_parameters=True)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    try:
        for epoch in range(epochs):
            total = 0.0
            for spectra, commands, speakers in load_batches(seed=epoch, rank=rank):
                command_scores, speaker_scores = model(spectra, speakers is not None)
                loss = criterion(command_scores, commands)
                if speakers is not None:
                    loss = loss + 0.3 * criterion(speaker_scores, speakers)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                total += loss.item()
            print(f"rank {rank} epoch {epoch}: loss {total:.3f}")
    finally:
        dist.destroy_process_group()


def main(world_size=1):
    with tempfile.TemporaryDirectory() as folder:
        train(0, world_size, os.path.join(folder, "store"))


if __name__ == "__main__":
    main()
