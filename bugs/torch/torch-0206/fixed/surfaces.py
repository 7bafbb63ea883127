"""Images of road surfaces: asphalt, cobblestones, gravel."""

import torch


def surfaces(count, seed):
    generator = torch.Generator().manual_seed(seed)
    kind = torch.randint(3, (count,), generator=generator)
    images = 0.1 * torch.rand(count, 3, 16, 16, generator=generator) + 0.4
    grid = ((torch.arange(16) % 4 == 0).float().view(1, 16) + (torch.arange(16) % 4 == 0).float().view(16, 1)).clamp(max=1)
    images[kind == 1] -= 0.3 * grid
    images[kind == 2] += 0.5 * (torch.rand(int((kind == 2).sum()), 1, 16, 16, generator=generator) > 0.7).float()
    return images, kind
