"""The trained classifier: plain data, read without any library, and able to say which features spoke for an answer.

A head answers one question. It is the mean of a few linear models ("parts"), each over some groups of features; a
temperature makes the probabilities as sure as they turned out to be in cross-validation.
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bugloss.triage.features import Features

MODEL = Path(__file__).parent / "data" / "model.json.gz"
UNIT = 1000  # weights are stored as whole thousandths


@dataclass(frozen=True, slots=True)
class Group:
    """The weights of one group of features: for each name its place; ``weights`` has one row a name."""

    name: str
    scale: float
    weighted: bool  # by rarity, and brought to length one
    places: Mapping[str, int]
    rarity: Sequence[int]
    weights: Sequence[int]

    def values(self, counts: Mapping[str, float]) -> dict[str, float]:
        """The features that the group knows, as the model saw them in training."""
        known = {name: count for name, count in counts.items() if name in self.places}
        if not self.weighted:
            return {name: self.scale * count for name, count in known.items()}
        raw = {
            name: (1 + math.log(count)) * self.rarity[self.places[name]] / UNIT
            for name, count in known.items()
            if count
        }
        length = math.sqrt(sum(value * value for value in raw.values())) or 1.0
        return {name: self.scale * value / length for name, value in raw.items()}

    def row(self, name: str, labels: int) -> Sequence[int]:
        """The weights of a feature, one a label, in thousandths."""
        at = self.places[name] * labels
        return self.weights[at : at + labels]


@dataclass(frozen=True, slots=True)
class Part:
    """One linear model."""

    bias: Sequence[float]
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Spoke:
    """A feature and how much it spoke for a label against the others, in log-odds."""

    group: str
    feature: str
    weight: float


@dataclass(frozen=True, slots=True)
class Head:
    """Answers one question."""

    labels: tuple[str, ...]
    temperature: float
    parts: tuple[Part, ...]

    def probabilities(self, features: Features) -> dict[str, float]:
        """The probability of each label."""
        mean = [0.0] * len(self.labels)
        for part in self.parts:
            for at, probability in enumerate(_softmax(self._scores(part, features))):
                mean[at] += probability / len(self.parts)
        tempered = [probability ** (1 / self.temperature) for probability in mean]
        return {label: value / sum(tempered) for label, value in zip(self.labels, tempered, strict=True)}

    def speakers(self, features: Features, label: str) -> Iterator[Spoke]:
        """Every feature that spoke for the label or against it, and how much, compared with the mean of the others."""
        at = self.labels.index(label)
        for group in (group for part in self.parts for group in part.groups):
            for name, value in group.values(getattr(features, group.name)).items():
                row = group.row(name, len(self.labels))
                others = (sum(row) - row[at]) / (len(row) - 1)
                yield Spoke(group.name, name, value * (row[at] - others) / UNIT / len(self.parts))

    def _scores(self, part: Part, features: Features) -> list[float]:
        scores = list(part.bias)
        for group in part.groups:
            for name, value in group.values(getattr(features, group.name)).items():
                for at, weight in enumerate(group.row(name, len(self.labels))):
                    scores[at] += value * weight / UNIT
        return scores


def _softmax(scores: Sequence[float]) -> list[float]:
    largest = max(scores)
    powers = [math.exp(score - largest) for score in scores]
    return [power / sum(powers) for power in powers]


@cache
def load_heads(path: Path = MODEL) -> dict[str, Head]:
    """The heads of a model file by name."""
    return read_heads(json.loads(gzip.decompress(path.read_bytes())))


def read_heads(data: Mapping[str, Any]) -> dict[str, Head]:
    """The heads that parsed JSON describes."""
    return {name: _head(head) for name, head in data["heads"].items()}


def _head(data: Mapping[str, Any]) -> Head:
    parts = tuple(Part(part["bias"], tuple(_group(group) for group in part["groups"])) for part in data["parts"])
    return Head(tuple(data["labels"]), data["temperature"], parts)


def _group(data: Mapping[str, Any]) -> Group:
    names = data["names"].split("\n") if data["names"] else []
    places = {name: at for at, name in enumerate(names)}
    return Group(data["group"], data["scale"], bool(data["rarity"]), places, data["rarity"], data["weights"])


def mix(answers: Sequence[tuple[Mapping[str, float], float]]) -> dict[str, float]:
    """Several answers to the same question as one, each with its share."""
    whole = sum(share for _, share in answers)
    return {label: sum(answer[label] * share for answer, share in answers) / whole for label in answers[0][0]}
