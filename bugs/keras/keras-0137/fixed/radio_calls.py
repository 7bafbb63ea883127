"""Radio calls: sequences of spoken letters as frames of filter-bank values."""

import numpy as np

ALPHABET = "ABCDEF"
FRAMES = 24
BANDS = 12
MOST_LETTERS = 4


def make_calls(count, seed):
    """Frames, letters (padded with -1) and the number of letters of every call."""
    rng = np.random.default_rng(seed)
    sounds = np.random.default_rng(11).normal(0.0, 1.0, (len(ALPHABET), BANDS))
    frames = rng.normal(0.0, 0.3, (count, FRAMES, BANDS))
    letters = np.full((count, MOST_LETTERS), -1, "int32")
    lengths = rng.integers(2, MOST_LETTERS + 1, size=count)
    for call, length in enumerate(lengths):
        letters[call, :length] = rng.integers(len(ALPHABET), size=length)
        start = rng.integers(0, 3)
        for letter in letters[call, :length]:
            duration = rng.integers(2, 5)
            frames[call, start : start + duration] += sounds[letter]
            start += duration + rng.integers(1, 3)
    return frames.astype("float32"), letters, lengths.astype("int32")


def spell(letters):
    return "".join(ALPHABET[letter] for letter in letters if letter >= 0)
