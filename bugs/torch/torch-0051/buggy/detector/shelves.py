"""Shelf photos with the boxes of the products on them."""

import torch
from torch.utils.data import Dataset


class ShelfDataset(Dataset):
    """Each item is an image (3, 32, 32) and a target (products, 5): corners between 0 and 1, then the kind."""

    def __init__(self, count=48, seed=0):
        generator = torch.Generator().manual_seed(seed)
        self.items = [self._photograph(generator) for _ in range(count)]

    @staticmethod
    def _photograph(generator, size=32):
        image = 0.1 * torch.rand(3, size, size, generator=generator)
        products = int(torch.randint(1, 4, (1,), generator=generator))
        target = torch.zeros(products, 5)
        for row in target:
            x, y = torch.randint(0, size - 10, (2,), generator=generator).tolist()
            w, h = torch.randint(5, 10, (2,), generator=generator).tolist()
            kind = int(torch.randint(3, (1,), generator=generator))
            image[kind, y : y + h, x : x + w] = 1.0
            row[:] = torch.tensor([x / size, y / size, (x + w) / size, (y + h) / size, kind])
        return image, target

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


def detection_collate(batch):
    """Images in one tensor, targets in a list."""
    images, targets = zip(*batch)
    return torch.stack(images), list(targets)
