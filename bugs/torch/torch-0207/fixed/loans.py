"""Which reader borrowed which book, as rows of a compact table."""

import numpy as np

READERS = 40
BOOKS = 60


def loan_table(seed=0):
    """Columns: reader, book that was borrowed, book that was not."""
    rng = np.random.RandomState(seed)
    taste = rng.normal(size=(READERS, 3))
    theme = rng.normal(size=(BOOKS, 3))
    likes = taste.dot(theme.T)
    rows = []
    for reader in range(READERS):
        order = np.argsort(-likes[reader])
        for _ in range(15):
            rows.append((reader, order[rng.randint(12)], order[rng.randint(25, BOOKS)]))
    return np.array(rows, dtype=np.intc)
