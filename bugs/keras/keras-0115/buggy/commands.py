"""Commands for a robot: words are numbers, and the tag of a word depends on the one before it."""

import numpy as np

VOCABULARY = 40
LENGTH = 12
TAGS = 4


def make_commands(count, seed):
    rng = np.random.default_rng(seed)
    words = rng.integers(0, VOCABULARY, (count, LENGTH))
    previous = np.roll(words, 1, axis=1)
    previous[:, 0] = 0
    tags = words % 2 + 2 * (previous >= VOCABULARY // 2)
    return words.astype("int32"), tags.astype("int32")
