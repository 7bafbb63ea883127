"""Purchases of a small shop."""

import numpy as np

ARTICLES = 50


def purchases(customers, seed, length=6):
    """Article numbers as in the database, from 1 on; customers often go on with a neighbouring article."""
    rng = np.random.RandomState(seed)
    bought = np.empty((customers, length), "int32")
    bought[:, 0] = rng.randint(1, ARTICLES + 1, customers)
    for turn in range(1, length):
        step = rng.choice([1, 1, 1, 7, 12], customers)
        bought[:, turn] = (bought[:, turn - 1] - 1 + step) % ARTICLES + 1
    return bought[:, :-1], bought[:, -1]
