"""Digits of a seven-segment display as a camera sees them: 15 x 9 pixels, blurred, shifted and noisy."""

import numpy as np

ROWS, COLUMNS = 15, 9
SEGMENTS = {
    "top": (slice(1, 3), slice(2, 7)),
    "middle": (slice(6, 8), slice(2, 7)),
    "bottom": (slice(11, 13), slice(2, 7)),
    "upper left": (slice(2, 7), slice(1, 3)),
    "upper right": (slice(2, 7), slice(6, 8)),
    "lower left": (slice(7, 12), slice(1, 3)),
    "lower right": (slice(7, 12), slice(6, 8)),
}
DARK = {  # segments that are off
    0: ["middle"],
    1: ["top", "middle", "bottom", "upper left", "lower left"],
    2: ["upper left", "lower right"],
    3: ["upper left", "lower left"],
    4: ["top", "bottom", "lower left"],
    5: ["upper right", "lower left"],
    6: ["upper right"],
    7: ["middle", "bottom", "upper left", "lower left"],
    8: [],
    9: ["lower left"],
}


def photograph(digit, rng):
    image = np.zeros((ROWS, COLUMNS))
    for name, (rows, columns) in SEGMENTS.items():
        if name not in DARK[digit]:
            image[rows, columns] = rng.uniform(0.6, 1.0)
    image = np.roll(image, (rng.integers(0, 2), rng.integers(0, 2)), axis=(0, 1))
    return image + rng.normal(0.0, 0.25, image.shape)


def load(count, seed):
    rng = np.random.default_rng(seed)
    digits = rng.integers(10, size=count)
    return np.stack([photograph(digit, rng).ravel() for digit in digits]).astype("float32"), digits
