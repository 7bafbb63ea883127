"""Reads the level of a dial from its needle, with a soft look-up table trained in data parallel.

Every one of twelve sectors of the dial has its own level. The table compares the needle with its
keys and mixes their values; the mixture is soft at first and sharpens while training goes on.
Training splits each batch over several replicas, as on a machine with several GPUs, but all of
them live on the processor here.
"""

import copy

import torch
import torch.nn.functional as F
from torch import nn

SECTORS = 12


def read_dial(count, levels, generator):
    """``count`` needle directions (unit vectors) and the levels they point at."""
    angles = 2 * torch.pi * torch.rand(count, generator=generator)
    sectors = (angles / (2 * torch.pi) * SECTORS).long() % SECTORS
    return torch.stack([angles.cos(), angles.sin()], dim=1), levels[sectors]


class SoftTable(nn.Module):
    def __init__(self, entries=64, start=2.0, end=0.005, decay=0.98):
        super().__init__()
        self.keys = nn.Parameter(torch.randn(entries, 2))
        self.values = nn.Parameter(torch.zeros(entries))
        self.start, self.end, self.decay = start, end, decay
        self.step = 0

    def forward(self, needles):
        temperature = max(self.end, self.start * self.decay ** float(self.step))
        if self.training:
            self.step += 1
        similarity = F.normalize(needles, dim=1) @ F.normalize(self.keys, dim=1).t()
        return F.softmax(similarity / temperature, dim=1) @ self.values


class ReplicatedOnProcessor(nn.Module):
    """Stands in for nn.DataParallel: each pass copies the module and gives every copy a slice."""

    def __init__(self, module, replicas=2):
        super().__init__()
        self.module = module
        self.replicas = replicas

    def forward(self, inputs):
        if not self.training:
            return self.module(inputs)
        slices = inputs.chunk(self.replicas)
        copies = [replicate(self.module, index) for index in range(len(slices))]
        return torch.cat([module(part) for module, part in zip(copies, slices)])


def replicate(module, index):
    """A shallow copy with the same parameters; the first copy also has the same buffers."""
    replica = copy.copy(module)
    replica._buffers = {
        name: buffer if index == 0 else buffer.clone() for name, buffer in module._buffers.items()
    }
    replica._modules = {name: replicate(child, index) for name, child in module._modules.items()}
    return replica


def train(model, needles, levels, steps=250, batch_size=64):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    model.train()
    for _ in range(steps):
        batch = torch.randint(len(needles), (batch_size,))
        loss = F.mse_loss(model(needles[batch]), levels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def error(model, needles, levels):
    """Root of the mean squared error, relative to the spread of the levels."""
    model.eval()
    return (F.mse_loss(model(needles), levels).sqrt() / levels.std()).item()


def run(seed=0):
    """Trains on 1024 readings and returns the relative error on 512 others."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    levels_of_sectors = torch.randn(SECTORS, generator=generator)
    model = ReplicatedOnProcessor(SoftTable())
    train(model, *read_dial(1024, levels_of_sectors, generator))
    return error(model, *read_dial(512, levels_of_sectors, generator))


if __name__ == "__main__":
    print("relative error on new readings: %.3f" % run())
