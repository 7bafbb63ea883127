"""Learned models as plain data, evaluated without the library that made them."""

from __future__ import annotations

import math
import struct
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

_LANE = 32  # bits of a row's lane: the largest number that can be summed there is below 2**32
_MOST = 30.0  # a logit beyond it is as good as certain, and larger ones would overflow


class RowSets:
    """Sets of a table's rows as whole numbers: a row is a bit with a lane of its own.

    The rows of two sets are found by ``&``, and a number times a set has that number in the lane of each of its rows.
    So all rows go down a tree together, at the price of one.
    """

    def __init__(self, columns: Sequence[Sequence[float]]) -> None:
        self.columns = columns
        self.bits = [1 << (_LANE * row) for row in range(len(columns[0]))]
        self.all = sum(self.bits)
        self._sorted: dict[int, tuple[list[float], list[int]]] = {}

    def at_most(self, feature: int, threshold: float) -> int:
        """The rows whose feature is no larger."""
        if feature not in self._sorted:
            self._sorted[feature] = self._sort(self.columns[feature])
        values, sets = self._sorted[feature]
        return sets[bisect_right(values, threshold)]

    def _sort(self, column: Sequence[float]) -> tuple[list[float], list[int]]:
        """The values in order, and the sets of the rows with the first none, one, two … of them."""
        order = sorted(range(len(column)), key=column.__getitem__)
        return [column[row] for row in order], list(accumulate((self.bits[row] for row in order), initial=0))

    def lanes(self, total: int) -> tuple[int, ...]:
        """The number in the lane of each row."""
        size = _LANE // 8 * len(self.bits)
        return struct.unpack(f"<{len(self.bits)}I", total.to_bytes(size, "little"))


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes in columns: a row whose feature is at most the threshold goes left.

    A child that is negative is the leaf of number ``-child - 1``; a tree without nodes is its leaf 0.
    """

    features: tuple[int, ...]
    thresholds: tuple[float, ...]
    lefts: tuple[int, ...]
    rights: tuple[int, ...]

    def leaves(self, rows: RowSets) -> Iterator[tuple[int, int]]:
        """Each leaf that some rows come to, with the set of these rows."""
        pending = [(0 if self.features else -1, rows.all)]
        while pending:
            at, here = pending.pop()
            if at < 0:
                yield -at - 1, here
                continue
            left = here & rows.at_most(self.features[at], self.thresholds[at])
            if left:
                pending.append((self.lefts[at], left))
            if left != here:
                pending.append((self.rights[at], here ^ left))

    def leaf(self, row: Sequence[float]) -> int:
        """The leaf that one row comes to."""
        return next(self.leaves(RowSets([[value] for value in row])))[0]


def logistic(logit: float) -> float:
    """The probability with these log-odds."""
    return 1 / (1 + math.exp(-max(min(logit, _MOST), -_MOST)))
