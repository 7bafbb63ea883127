"""Ratings of a small library: which reader gave which book how many stars."""

import numpy as np

FIRST_READER = 1
FIRST_BOOK = 1


def load_ratings(count=1500, readers=60, books=90, seed=0):
    """Rows of (reader, book, stars); readers and books are numbered as in the card file."""
    rng = np.random.default_rng(seed)
    taste = rng.normal(0.0, 0.7, (readers, 3))
    content = rng.normal(0.0, 0.7, (books, 3))
    reader = rng.integers(0, readers, count)
    book = rng.integers(0, books, count)
    reader[:readers], book[:books] = np.arange(readers), np.arange(books)
    stars = 3.0 + (taste[reader] * content[book]).sum(axis=1) + rng.normal(0.0, 0.2, count)
    rows = np.stack([reader + FIRST_READER, book + FIRST_BOOK, np.clip(stars, 1, 5)], axis=1)
    return rng.permutation(rows)


def split(rows, share=0.8):
    cut = int(len(rows) * share)
    return rows[:cut], rows[cut:]


def columns(rows):
    """The inputs and the target of the network."""
    return [rows[:, 0].astype("int32"), rows[:, 1].astype("int32")], rows[:, 2].astype("float32")
