"""Fits heads: regularised logistic regressions over the features of triage, kept as plain numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from bugloss.triage.classifier import UNIT
from bugloss.triage.features import Features


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """How a group of features enters: how much it counts, whether weighted by rarity, how often a name must occur."""

    name: str
    scale: float = 1.0
    weighted: bool = True
    least: int = 2


@dataclass(frozen=True, slots=True)
class PartPlan:
    """One linear model: its groups, and how freely its weights may grow."""

    groups: tuple[GroupPlan, ...]
    freedom: float


@dataclass(frozen=True, slots=True)
class Examples:
    """What to learn from: features, labels, weights; unlabelled ``background`` rows tell which words are rare."""

    rows: Sequence[Features]
    labels: Sequence[str]
    weights: Sequence[float]
    background: Sequence[Features] = ()


def fit_head(parts: Sequence[tuple[PartPlan, Examples]], temperature: float = 1.0) -> dict[str, Any]:
    """A head as the JSON that ``classifier.read_heads`` reads; each part learns from its own examples."""
    names = sorted({label for _, examples in parts for label in examples.labels})
    return {
        "labels": names,
        "temperature": temperature,
        "parts": [_fit_part(plan, examples, names) for plan, examples in parts],
    }


def _fit_part(plan: PartPlan, examples: Examples, names: Sequence[str]) -> dict[str, Any]:
    tables = [Table(group, examples) for group in plan.groups]
    matrix = sparse.hstack([table.matrix for table in tables]).tocsr()
    model = LogisticRegression(C=plan.freedom, max_iter=2000, tol=1e-3)
    model.fit(matrix, examples.labels, np.array(examples.weights))
    coefficients, bias = model.coef_, model.intercept_
    if len(names) == 2:  # one row for the second label; the first stands at zero
        coefficients, bias = np.vstack([0 * coefficients, coefficients]), np.array([0.0, bias[0]])
    starts = np.cumsum([0, *(len(table.names) for table in tables)])
    return {
        "bias": [round(float(value), 4) for value in bias],
        "groups": [
            table.describe(coefficients[:, start : start + len(table.names)])
            for table, start in zip(tables, starts, strict=False)
        ],
    }


def balance(labels: Sequence[str]) -> Any:
    """Weights under which every label counts the same."""
    counts = Counter(labels)
    return np.array([len(labels) / (len(counts) * counts[label]) for label in labels])


class Table:
    """The rows of one group as a matrix."""

    def __init__(self, plan: GroupPlan, examples: Examples) -> None:
        self.plan = plan
        everything = [getattr(row, plan.name) for row in (*examples.rows, *examples.background)]
        counts = Counter(name for row in everything for name in row)
        self.names = sorted(name for name, count in counts.items() if count >= plan.least)
        self.rarity = [math.log((1 + len(everything)) / (1 + counts[name])) + 1 for name in self.names]
        places = {name: at for at, name in enumerate(self.names)}
        self.matrix = sparse.vstack([self._row(getattr(row, plan.name), places) for row in examples.rows])

    def _row(self, row: Mapping[str, float], places: Mapping[str, int]) -> sparse.csr_matrix:
        known = [(places[name], count) for name, count in row.items() if name in places]
        at = [place for place, _ in known]
        if self.plan.weighted:
            values = np.array([(1 + math.log(count)) * self.rarity[place] for place, count in known])
            values = values / (np.linalg.norm(values) or 1.0)
        else:
            values = np.array([count for _, count in known])
        return sparse.csr_matrix((self.plan.scale * values, ([0] * len(at), at)), shape=(1, len(places)))

    def describe(self, weights: Any) -> dict[str, Any]:
        """The group as JSON. Rare words count in the length of a text, so that they stay even if they weigh nothing."""
        stored = np.round(UNIT * weights.T).astype(int)
        kept = [at for at in range(len(self.names)) if self.plan.weighted or np.any(stored[at])]
        return {
            "group": self.plan.name,
            "scale": self.plan.scale,
            "names": "\n".join(self.names[at] for at in kept),
            "rarity": [round(UNIT * self.rarity[at]) for at in kept] if self.plan.weighted else [],
            "weights": [int(value) for at in kept for value in stored[at]],
        }
