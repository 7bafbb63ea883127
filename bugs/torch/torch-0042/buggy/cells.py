"""Synthetic microscope images: bright round cells on a noisy background, and their masks."""

import torch


def stain(count, generator, size=32):
    rows, columns = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    masks = torch.zeros(count, 1, size, size)
    for mask in masks:
        for _ in range(3):
            y, x = torch.randint(4, size - 4, (2,), generator=generator)
            radius = 3 + 3 * torch.rand(1, generator=generator)
            mask[0][(rows - y) ** 2 + (columns - x) ** 2 < radius**2] = 1.0
    images = 1.2 * masks + 0.5 * torch.randn(masks.shape, generator=generator)
    return images - images.mean(), masks
