"""Masks and padding among the inputs of a model: which input is the mask, which one it is about, where padding is."""

import sys

from .relation import Untold, with_part

LEAST_ROWS = 2  # that end in padding
LOWERED = 0.5  # of the influence that padding has where nothing is left out: a mask that is meant for it lowers it more


class Masked(object):
    """Numbers of the two inputs, and where the data is padding."""

    def __init__(self, data, mask, padding):
        self.data, self.mask, self.padding = data, mask, padding

    def with_other_padding(self, parts):
        """The data with other values where it is padding: symbols that occur elsewhere, or noise."""
        numpy = sys.modules["numpy"]
        part = parts[self.data]
        other = numpy.roll(part[:, ::-1], 1, axis=0) if is_whole(part) else part + (part.std() or 1.0)
        where = self.padding.reshape(self.padding.shape + (1,) * (part.ndim - 2))
        return numpy.where(where, other, part).astype(part.dtype)

    def leaving_nothing_out(self, parts, steps=None):
        """The same inputs with a mask, or lengths, that keeps every step; the data may have become longer."""
        numpy = sys.modules["numpy"]
        mask = parts[self.mask]
        if mask.size > len(mask):
            kept = mask[:, : self.padding.shape[1]][~self.padding][:1]
        else:
            kept = numpy.array([steps or self.padding.shape[1]], dtype=mask.dtype)
        return with_part(parts, self.mask, numpy.broadcast_to(kept, mask.shape).copy())


def is_without_effect(change, change_if_kept):
    """Whether padding has as much influence with a mask as without one; numbers that are none say so, too."""
    return not change < LOWERED * change_if_kept


def masked_input(parts):
    """The first mask or list of lengths among the inputs, with the input that has its shape."""
    for number, mask in enumerate(parts):
        for data, part in enumerate(parts):
            if data == number or part.ndim < 2 or is_mask(part):
                continue
            if is_mask(mask) and mask.shape == part.shape[:2]:
                return Masked(data, number, padding_of(part, mask.astype(bool)))
            if is_lengths(mask, part):
                steps = sys.modules["numpy"].arange(part.shape[1])
                return Masked(data, number, steps[None, :] >= mask.reshape(-1, 1))
    raise Untold("no input is a mask, or lengths, of another")


def padding_of(part, mask):
    """The positions that a mask leaves out: those whose data are all the same and are at the end of rows."""
    for padding in (mask, ~mask):
        chosen = part[padding]
        ends = (padding[:, 1:] >= padding[:, :-1]).all() or (padding[:, 1:] <= padding[:, :-1]).all()
        if len(chosen) and not padding.all() and ends and (chosen == chosen[:1]).all():
            if (padding.any(axis=1)).sum() >= LEAST_ROWS:
                return padding
    raise Untold("it is not known which value of the mask stands for padding")


def is_mask(part):
    return (
        part.ndim == 2
        and part.shape[1] > 1
        and bool(((part == 0) | (part == 1)).all())
        and part.any()
        and not part.all()
    )


def is_lengths(part, data):
    """Whole numbers, one a sample, between one and the number of steps, not all the same."""
    if part.dtype.kind not in "iu" or part.size != len(data) or data.ndim < 2:
        return False
    return bool(part.min() >= 1 and part.max() == data.shape[1] and part.min() < part.max() and padded(part, data))


def padded(lengths, data):
    """Whether all data after the lengths are the same."""
    steps = sys.modules["numpy"].arange(data.shape[1])
    rest = data[steps[None, :] >= lengths.reshape(-1, 1)]
    return bool((rest == rest[:1]).all())


def is_whole(part):
    return part.dtype.kind in "iub" or bool((part == part.round()).all())


def has_gaps(part, symbol):
    """The share of rows' inner positions, before their last other symbol and after the first, that are this symbol."""
    numpy = sys.modules["numpy"]
    other = part != symbol
    seen = numpy.maximum.accumulate(other, axis=1)
    later = numpy.maximum.accumulate(other[:, ::-1], axis=1)[:, ::-1]
    inner = seen & later
    return float((inner & ~other).sum()) / max(int(inner.sum()), 1)
