"""The learned ranker as plain data: boosted trees and a linear model, evaluated without the library that made them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

from bugloss.core.learned import RowSets, Tree, logistic

MODEL = Path(__file__).parents[1] / "data" / "ranker.json.gz"
TREES = 2.0  # how much the trees count against the linear model, which counts one
_UNIT = 1e-6  # of leaves, as precise as they are kept
FAR = 4.0  # standard deviations; a feature further out counts as that


@dataclass(frozen=True, slots=True)
class RegressionTree:
    """A tree with one number a leaf, which is not below zero."""

    nodes: Tree
    leaves: Sequence[int]

    def values(self, rows: RowSets) -> int:
        """What the tree says of each row, in its lane."""
        return sum(self.leaves[leaf] * here for leaf, here in self.nodes.leaves(rows))


@dataclass(frozen=True, slots=True)
class Linear:
    """A weighted sum of features that were brought to mean 0 and deviation 1."""

    means: Sequence[float]
    scales: Sequence[float]
    weights: Sequence[float]

    def values(self, columns: Sequence[Sequence[float]]) -> list[float]:
        """What the sum says of each row."""
        totals = [0.0] * len(columns[0])
        for column, mean, scale, weight in zip(columns, self.means, self.scales, self.weights, strict=True):
            low, high = mean - FAR * scale, mean + FAR * scale
            for row, value in enumerate(column):
                totals[row] += ((low if value < low else high if value > high else value) - mean) / scale * weight
        return totals


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees that correct a first guess, and a linear model beside them; both are asked."""

    names: tuple[str, ...]  # of the columns
    guess: str  # the column that the trees start from
    guess_weight: float
    trees: tuple[RegressionTree, ...]
    linear: Linear
    slope: float = 1.0  # turns a score into a probability
    offset: float = 0.0

    def score(self, table: Mapping[str, Sequence[float]]) -> list[float]:
        """A score a row, comparable among the rows of one report; the table has a column a name."""
        columns = [table[name] for name in self.names]
        if not columns[0]:
            return []
        rows = RowSets(columns)
        corrections = rows.lanes(sum(tree.values(rows) for tree in self.trees))
        guesses = columns[self.names.index(self.guess)]
        grown = [self.guess_weight * guess + _UNIT * more for guess, more in zip(guesses, corrections, strict=True)]
        summed = self.linear.values(columns)
        return [TREES * a + b for a, b in zip(standardised(grown), standardised(summed), strict=True)]

    def probability(self, score: float) -> float:
        """How probable it is that a file with this score is a true one."""
        return logistic(self.slope * score + self.offset)


def standardised(values: Sequence[float]) -> list[float]:
    """Values with mean 0 and deviation 1; equal ones become 0."""
    if not values:
        return []
    mean, deviation = fmean(values), pstdev(values)
    return [(value - mean) / deviation if deviation > 1e-12 else 0.0 for value in values]


@cache
def load_forest(path: Path = MODEL) -> Forest:
    """The forest of a model file."""
    return read_forest(json.loads(gzip.decompress(path.read_bytes())))


def read_forest(data: Mapping[str, Any]) -> Forest:
    """The forest that parsed JSON describes."""
    return Forest(
        tuple(data["names"]),
        data["guess"],
        data["guess_weight"],
        tuple(_raised(data["trees"])),
        Linear(*data["linear"]),
        *data["calibration"],
    )


def _raised(trees: Sequence[Sequence[Any]]) -> Iterator[RegressionTree]:
    """Trees whose leaves are counted in units from the lowest of all: what is added to every row changes no order."""
    lowest = min((min(leaves) for *_, leaves in trees), default=0.0)
    for *nodes, leaves in trees:
        yield RegressionTree(Tree(*map(tuple, nodes)), [round((leaf - lowest) / _UNIT) for leaf in leaves])
