"""Boosted regression trees as plain data: learned by LightGBM, evaluated without it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

MODEL = Path(__file__).parent / "data" / "ranker.json.gz"


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes in arrays. A child that is negative is the leaf of number ``-child - 1``."""

    features: Sequence[int]
    thresholds: Sequence[float]
    lefts: Sequence[int]
    rights: Sequence[int]
    leaves: Sequence[float]

    def value(self, row: Sequence[float]) -> float:
        """What the tree says of a row."""
        if not self.features:
            return self.leaves[0]
        at = 0
        while at >= 0:
            at = self.lefts[at] if row[self.features[at]] <= self.thresholds[at] else self.rights[at]
        return self.leaves[-at - 1]


@dataclass(frozen=True, slots=True)
class Forest:
    """The sum of trees over rows whose columns have these names."""

    names: tuple[str, ...]
    trees: tuple[Tree, ...]

    def score(self, names: Sequence[str], rows: Sequence[Sequence[float]]) -> list[float]:
        """A score a row; ``names`` says what the columns of the rows are."""
        places = {name: at for at, name in enumerate(names)}
        order = [places[name] for name in self.names]
        arranged = [[row[at] for at in order] for row in rows]
        return [sum(tree.value(row) for tree in self.trees) for row in arranged]


@cache
def load_forest(path: Path = MODEL) -> Forest:
    """The forest of a model file."""
    return read_forest(json.loads(gzip.decompress(path.read_bytes())))


def read_forest(data: Mapping[str, Any]) -> Forest:
    """The forest that parsed JSON describes."""
    return Forest(tuple(data["names"]), tuple(Tree(*tree) for tree in data["trees"]))
