import math

import torch


def make_series(count, seed, steps=24, gap=0.3):
    """Daily curves with noise, and which of their hours are present."""
    generator = torch.Generator().manual_seed(seed)
    phase = 2 * math.pi * torch.rand(count, 1, generator=generator)
    height = 0.5 + torch.rand(count, 1, generator=generator)
    curves = height * torch.sin(2 * math.pi * torch.arange(steps) / steps + phase)
    series = curves + 0.3 * torch.randn(count, steps, generator=generator)
    present = (torch.rand(count, steps, generator=generator) > gap).float()
    return series, present
