"""The learned ranker as plain data: boosted trees and a linear model, evaluated without the library that made them."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

MODEL = Path(__file__).parent / "data" / "ranker.json.gz"
TREES = 2.0  # how much the trees count against the linear model, which counts one
FAR = 4.0  # standard deviations; a feature further out counts as that


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes in arrays. A child that is negative is the leaf of number ``-child - 1``."""

    features: Sequence[int]
    thresholds: Sequence[float]
    lefts: Sequence[int]
    rights: Sequence[int]
    leaves: Sequence[float]

    def add_to(self, totals: list[float], columns: Sequence[Sequence[float]]) -> None:
        """Adds what the tree says of each row; all rows go down together, which is quicker than one by one."""
        pending = [(0 if self.features else -1, list(range(len(totals))))]
        while pending:
            at, rows = pending.pop()
            if at < 0:
                for row in rows:
                    totals[row] += self.leaves[-at - 1]
                continue
            column, threshold = columns[self.features[at]], self.thresholds[at]
            left = [row for row in rows if column[row] <= threshold]
            if left:
                pending.append((self.lefts[at], left))
            if len(left) < len(rows):
                pending.append((self.rights[at], [row for row in rows if column[row] > threshold]))


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
    trees: tuple[Tree, ...]
    linear: Linear
    slope: float = 1.0  # turns a score into a probability
    offset: float = 0.0

    def score(self, table: Mapping[str, Sequence[float]]) -> list[float]:
        """A score a row, comparable among the rows of one report; the table has a column a name."""
        columns = [table[name] for name in self.names]
        grown = [self.guess_weight * value for value in columns[self.names.index(self.guess)]]
        for tree in self.trees:
            tree.add_to(grown, columns)
        summed = self.linear.values(columns)
        return [TREES * a + b for a, b in zip(standardised(grown), standardised(summed), strict=True)]

    def probability(self, score: float) -> float:
        """How probable it is that a file with this score is a true one."""
        return 1 / (1 + math.exp(-max(min(self.slope * score + self.offset, 30.0), -30.0)))


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
        tuple(Tree(*tree) for tree in data["trees"]),
        Linear(*data["linear"]),
        *data["calibration"],
    )
