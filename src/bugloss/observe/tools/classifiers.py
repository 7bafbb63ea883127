"""Three classifiers that were trained elsewhere, as plain data: nearest neighbours, a decision tree, a random forest.

They are read from JSON and need no library. What is missing in a row is filled with the median of the training runs,
then every feature is put on the scale of the training runs, so that distances mean something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from json import loads
from math import dist, isnan

from bugloss.core.codec import decode
from bugloss.core.learned import Tree

Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Scaling:
    """How a feature is brought to a common scale: (value - centre) / spread, and the replacement of a missing one."""

    centre: float
    spread: float
    missing: float

    def apply(self, value: float) -> float:
        """The scaled value, kept within ten spreads of the centre."""
        filled = self.missing if isnan(value) else value
        return max(-10.0, min(10.0, (filled - self.centre) / self.spread))


@dataclass(frozen=True, slots=True)
class DecisionTree:
    """A tree with the shares of the labels at each leaf."""

    nodes: Tree
    shares: tuple[tuple[float, ...], ...]

    def vote(self, row: Row) -> tuple[float, ...]:
        """The shares of the labels at the leaf that a row comes to."""
        return self.shares[self.nodes.leaf(row)]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The training runs themselves; the nearest ones vote."""

    count: int
    rows: tuple[Row, ...]
    labels: tuple[int, ...]

    def vote(self, row: Row, labels: int) -> tuple[float, ...]:
        """The shares of the labels among the nearest runs; of equally near ones the earlier comes first."""
        order = sorted(range(len(self.rows)), key=lambda index: dist(self.rows[index], row))[: self.count]
        found = Counter(self.labels[index] for index in order)
        return tuple(found[label] / self.count for label in range(labels))


@dataclass(frozen=True, slots=True)
class MajorityVote:
    """What the three classifiers make of a run."""

    label: str
    confidence: float
    votes: Mapping[str, str]  # classifier → its own label
    shares: Mapping[str, float]  # label → mean share over the classifiers


@dataclass(frozen=True, slots=True)
class Classifiers:
    """Three classifiers over the same labels and features."""

    labels: tuple[str, ...]
    features: tuple[str, ...]
    scalings: tuple[Scaling, ...]
    neighbours: Neighbours
    tree: DecisionTree
    forest: tuple[DecisionTree, ...]
    trained: Mapping[str, str]  # on what, when and how well: for people

    def predict(self, found: Mapping[str, float]) -> MajorityVote:
        """The majority of the three; where they all differ, the forest's label."""
        row = tuple(
            scaling.apply(found.get(name, float("nan")))
            for name, scaling in zip(self.features, self.scalings, strict=True)
        )
        shares = {
            "k-nearest-neighbours": self.neighbours.vote(row, len(self.labels)),
            "decision-tree": self.tree.vote(row),
            "random-forest": _mean([tree.vote(row) for tree in self.forest]),
        }
        votes = {name: self.labels[vote.index(max(vote))] for name, vote in shares.items()}
        label, times = Counter(votes.values()).most_common(1)[0]
        mean = dict(zip(self.labels, _mean(list(shares.values())), strict=True))
        chosen = label if times > 1 else votes["random-forest"]
        return MajorityVote(chosen, mean[chosen], votes, mean)


def _mean(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


@cache
def load_classifiers(name: str = "deepfd.json") -> Classifiers:
    """The classifiers that come with the package."""
    return decode(Classifiers, loads((files("bugloss.observe.tools") / name).read_text(encoding="utf-8")))
