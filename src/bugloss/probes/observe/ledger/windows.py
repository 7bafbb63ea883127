"""Windows that were cut from one series: where one ends, or begins, within the other.

Neighbouring windows have all values in common from the beginning of one to the end of the other, and the series goes on
beyond both. Sounds that occur in several recordings, silence between them and padding do not count.
"""

import sys

SHINGLE = 4  # steps that are compared first
LOOKED_AT = 8  # stretches of a window
MOST_VALUES = 4096  # of one window
MOST_PARTNERS = 32  # of one window


def shared_windows(mine, theirs, shape):
    """The share of windows (rows of values) that overlap with one of the others; None where they are not windows."""
    numpy = sys.modules["numpy"]
    if len(shape) not in (1, 2) or shape[0] <= 2 * SHINGLE or numpy.prod(shape) > MOST_VALUES:
        return None
    if (mine == numpy.floor(mine)).mean() > 0.5:  # few discrete values repeat by nature
        return None
    mine, theirs = (rows.reshape(len(rows), shape[0], -1) for rows in (mine, theirs))
    pairs = zip(mine, partners_of(mine, theirs))
    found = [any(overlap(row, theirs[other], shift) for other, shift in known) for row, known in pairs]
    return sum(found) / float(len(found))


def partners_of(mine, theirs):
    """For each window the others that have one of its stretches at another place, and how much further on it is."""
    wanted = {}
    length = mine.shape[1]
    for place, row in enumerate(mine):
        for start in range(0, length - SHINGLE + 1, max(length // LOOKED_AT, 1)):
            if varies(row[start : start + SHINGLE]):
                wanted.setdefault(row[start : start + SHINGLE].tobytes(), []).append((place, start))
    partners = [set() for _ in mine]
    for other, row in enumerate(theirs):
        for start in range(length - SHINGLE + 1):
            for place, own in wanted.get(row[start : start + SHINGLE].tobytes(), ()):
                if own != start and len(partners[place]) < MOST_PARTNERS:
                    partners[place].add((other, start - own))
    return partners


def overlap(mine, theirs, shift):
    """Whether the end of one window is the beginning of the other, where both change up to the border."""
    if shift < 0:
        mine, theirs, shift = theirs, mine, -shift
    common = theirs[shift:]
    if len(common) < SHINGLE or not (mine[: len(common)] == common).all():
        return False
    return varies(common[:SHINGLE]) and varies(common[-SHINGLE:])


def varies(steps):
    return bool((steps[1:] != steps[:-1]).any())
