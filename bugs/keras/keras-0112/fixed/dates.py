"""Pairs of dates: as written in letters, and as they are stored."""

import numpy as np

MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
LETTERS = " <-0123456789" + "".join(sorted(set("".join(MONTHS))))
LENGTH = 12


def random_pairs(count, rng):
    pairs = []
    for _ in range(count):
        day, month, year = rng.integers(1, 29), rng.integers(1, 13), rng.integers(1950, 2030)
        written = "%d %s %d" % (day, MONTHS[month - 1], year)
        pairs.append((written, "%04d-%02d-%02d" % (year, month, day)))
    return pairs


def encode_text(text):
    return [LETTERS.index(letter) for letter in text.ljust(LENGTH)]


def decode(numbers):
    return "".join(LETTERS[number] for number in numbers).strip()


def encode_pairs(pairs):
    """What the encoder reads, what the decoder reads and what it has to write."""
    source = np.array([encode_text(written) for written, _ in pairs])
    target = np.array([encode_text(stored) for _, stored in pairs])
    shifted = np.array([encode_text("<" + stored) for _, stored in pairs])
    return source, shifted, target
