"""Seven-segment digits as they appear on a meter."""

import numpy as np

ROWS, COLUMNS = 12, 9
LIT = ["abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg"]
PLACES = {
    "a": (slice(1, 2), slice(2, 7)), "g": (slice(5, 6), slice(2, 7)), "d": (slice(10, 11), slice(2, 7)),
    "f": (slice(1, 6), slice(1, 2)), "b": (slice(1, 6), slice(7, 8)),
    "e": (slice(5, 11), slice(1, 2)), "c": (slice(5, 11), slice(7, 8)),
}


def readings(count, seed=0):
    rng = np.random.RandomState(seed)
    digit = rng.randint(10, size=count)
    images = rng.uniform(0, 0.3, size=(count, ROWS, COLUMNS))
    for image, number in zip(images, digit):
        for segment in LIT[number]:
            image[PLACES[segment]] += 0.6
    return images, digit
