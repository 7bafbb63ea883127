"""Images of short words in block letters: two letters of an alphabet of four make sixteen words."""

import numpy as np

LETTERS = {
    "H": ["#...#", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"],
    "L": ["#....", "#....", "#....", "#....", "#....", "#....", "#####"],
    "T": ["#####", "..#..", "..#..", "..#..", "..#..", "..#..", "..#.."],
    "X": ["#...#", "#...#", ".#.#.", "..#..", ".#.#.", "#...#", "#...#"],
}
WORDS = [first + second for first in "HLTX" for second in "HLTX"]
HEIGHT, WIDTH = 20, 40


def _glyph(letter):
    return np.array([[mark == "#" for mark in row] for row in LETTERS[letter]], "float32")


def draw(word, rng):
    """The word at a random place, with noise of the scanner."""
    image = rng.normal(0.0, 0.15, (HEIGHT, WIDTH))
    top, left = rng.integers(1, HEIGHT - 8), rng.integers(1, 5)
    for letter in word:
        image[top : top + 7, left : left + 5] += _glyph(letter)
        top = np.clip(top + rng.integers(-2, 3), 1, HEIGHT - 8)
        left += 5 + rng.integers(11, 17)
    return image[..., None].astype("float32")


def load(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(len(WORDS), size=count)
    return np.stack([draw(WORDS[label], rng) for label in labels]), labels
