"""Token sequences: which of the two marked tokens occurs more often?"""

import numpy as np

TOKENS = 12
LENGTH = 10


def make_sequences(count, seed):
    rng = np.random.RandomState(seed)
    label = rng.randint(2, size=count)
    tokens = rng.randint(2, TOKENS, size=(count, LENGTH))
    marked = rng.rand(count, LENGTH) < 0.5
    tokens = np.where(marked, np.where(rng.rand(count, LENGTH) < 0.85, label[:, None], 1 - label[:, None]), tokens)
    label = ((tokens == 1).sum(1) > (tokens == 0).sum(1)).astype("int64")
    return tokens.astype("int64"), label
