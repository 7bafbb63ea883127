"""Healthy: no step of a diffusion weighs more than the others; only nearly clean ones weigh less."""

import oracle
import torch
import weigh_losses


def weight(seed):
    """The largest weight of a step, from nearly clean to pure noise."""
    images, noise = torch.rand(16, 1, 8, 8) * 2 - 1, torch.randn(16, 1, 8, 8)
    ratios = []
    for time in (0.05, 0.25, 0.5, 0.75, 0.95):
        plain, weighted = weigh_losses.losses_at(time, images, noise)
        ratios.append((weighted / plain).item())
    return max(ratios)


oracle.value("largest weight of a step", weight, at_most=1.001)
