"""Readers and the books they borrowed."""

import torch
from torch.utils.data import Dataset


def borrowings(readers, books, seed=0, taste=4):
    """For each reader ten books to learn from and one borrowed later."""
    generator = torch.Generator().manual_seed(seed)
    likes = torch.randn(readers, taste, generator=generator) @ torch.randn(taste, books, generator=generator)
    best = likes.topk(11, dim=1).indices
    order = torch.rand(readers, 11, generator=generator).argsort(dim=1)
    shuffled = best.gather(1, order)
    return shuffled[:, :10], shuffled[:, 10]


class HeldOutBooks(Dataset):
    """An item: the number of a reader and the book that this reader borrowed last."""

    def __init__(self, last_books):
        self.last_books = last_books

    def __len__(self):
        return len(self.last_books)

    def __getitem__(self, reader):
        return reader, self.last_books[reader]
