"""The trained classifier: plain data, used without any library, and able to say which features support an answer.

A head answers one question. It is the weighted mean of a few linear models ("parts"), each over some groups of
features. Labels may be favoured, and a temperature makes the probabilities as sure as they turned out to be: both are
found by cross-validation. ``head_file`` reads heads.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bugloss.triage.features import ReportFeatures

UNIT = 1000  # weights are stored as whole thousandths


@dataclass(frozen=True, slots=True)
class FeatureGroup:
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
class LinearModel:
    """One linear model, and how much it counts among the others."""

    bias: Sequence[float]
    groups: tuple[FeatureGroup, ...]
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Contribution:
    """A feature and how much it counts for a label against the others, in log-odds."""

    group: str
    feature: str
    weight: float


@dataclass(frozen=True, slots=True)
class ClassifierHead:
    """Answers one question."""

    labels: tuple[str, ...]
    temperature: float
    parts: tuple[LinearModel, ...]
    favour: tuple[float, ...] = ()  # factors, one a label; none where all are equal

    def probabilities(self, features: ReportFeatures) -> dict[str, float]:
        """The probability of each label."""
        mean = [0.0] * len(self.labels)
        for part in self.parts:
            for at, probability in enumerate(_softmax(self._scores(part, features))):
                mean[at] += probability * part.share
        favoured = [factor * value for factor, value in zip(self.favour or [1.0] * len(mean), mean, strict=True)]
        tempered = [probability ** (1 / self.temperature) for probability in favoured]
        whole = sum(tempered)
        return {label: value / whole for label, value in zip(self.labels, tempered, strict=True)}

    def contributions(self, features: ReportFeatures, label: str) -> Iterator[Contribution]:
        """Every feature that counts for the label or against it, compared with the mean of the others."""
        at, labels = self.labels.index(label), len(self.labels)
        whole = sum(part.share for part in self.parts)
        weights: dict[tuple[str, str], float] = {}
        for part in self.parts:
            for group in part.groups:
                for name, value in group.values(getattr(features, group.name)).items():
                    row = group.row(name, labels)
                    others = (sum(row) - row[at]) / (labels - 1)
                    weight = value * (row[at] - others) / UNIT * part.share / whole
                    weights[group.name, name] = weights.get((group.name, name), 0.0) + weight
        for (group_name, name), weight in weights.items():
            yield Contribution(group_name, name, weight)

    def _scores(self, part: LinearModel, features: ReportFeatures) -> list[float]:
        scores = list(part.bias)
        for group in part.groups:
            for name, value in group.values(getattr(features, group.name)).items():
                for at, weight in enumerate(group.row(name, len(self.labels))):
                    scores[at] += value * weight / UNIT
        return scores


def _softmax(scores: Sequence[float]) -> list[float]:
    largest = max(scores)
    powers = [math.exp(score - largest) for score in scores]
    whole = sum(powers)
    return [power / whole for power in powers]


def mix(answers: Sequence[tuple[Mapping[str, float], float]]) -> dict[str, float]:
    """Several answers to the same question as one, each with its share."""
    whole = sum(share for _, share in answers)
    return {label: sum(answer[label] * share for answer, share in answers) / whole for label in answers[0][0]}
