"""Patches of woven fabric: two waves with random direction, period and phase."""

import math

import torch


def weave(count, seed, side=8):
    generator = torch.Generator().manual_seed(seed)
    rows, columns = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
    angle, phase = 2 * math.pi * torch.rand(2, count, 1, 1, generator=generator)
    period = 4 + 3 * torch.rand(count, 1, 1, generator=generator)
    along = rows * angle.cos() + columns * angle.sin()
    return torch.sin(2 * math.pi * along / period + phase).unsqueeze(1)
