"""Aerial tiles with a road across them; tiles come in the sizes in which they were cut."""

import torch


def cut_tiles(sizes=((64, 64), (48, 80), (70, 70)), per_size=4, seed=0):
    generator = torch.Generator().manual_seed(seed)
    for height, width in sizes:
        tiles = 0.2 * torch.rand(per_size, 3, height, width, generator=generator)
        masks = torch.zeros(per_size, 1, height, width)
        for tile, mask in zip(tiles, masks):
            left, right = (torch.rand(2, generator=generator) * (height - 4)).long().tolist()
            for column in range(width):
                row = left + (right - left) * column // width
                mask[0, row : row + 4, column] = 1.0
            tile += 0.6 * mask
        yield tiles, masks
