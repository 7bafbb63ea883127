"""Fits parts of heads: regularised logistic regressions over groups of features, kept as plain numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from bugloss.triage.classifier import UNIT, FeatureGroup, LinearModel
from triaging.tables import Table

_TOLERANCE = 1e-3  # of the slope, when a fit is done
_LARGEST = 32_767  # thousandths that two bytes hold


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """How a group of features enters: how much it counts, whether weighted by rarity, how often a name must occur."""

    name: str
    scale: float = 1.0
    weighted: bool = True
    least: int = 2


@dataclass(frozen=True, slots=True)
class PartPlan:
    """One linear model: its groups, how freely its weights may grow, how much our own labels count against given."""

    groups: tuple[GroupPlan, ...]
    freedom: float
    trust: float = 0.0
    share: int = 1  # among the others, where all are used


@dataclass(frozen=True, slots=True)
class Examples:
    """What to learn from: numbers of texts with labels and weights; ``background`` texts tell which words are rare."""

    texts: Any
    labels: Sequence[str]
    weights: Any
    background: Any


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table that a part uses, and how rare each is."""

    plan: GroupPlan
    kept: Any
    rarity: Any

    @classmethod
    def choose(cls, plan: GroupPlan, table: Table, texts: Any) -> Columns:
        seen = np.asarray(table.present[texts].sum(0)).ravel()
        kept = np.flatnonzero(seen >= plan.least)
        return cls(plan, kept, np.log((1 + len(texts)) / (1 + seen[kept])) + 1)

    def enter(self, table: Table, texts: Any) -> Any:
        """The values of some texts, as ``classifier.Group.values`` works them out for one."""
        if not self.plan.weighted:
            return self.plan.scale * table.counts[texts][:, self.kept]
        values = table.logged[texts][:, self.kept] @ sparse.diags(self.rarity)
        lengths = np.sqrt(np.asarray(values.multiply(values).sum(1)).ravel())
        return sparse.diags(self.plan.scale / np.where(lengths, lengths, 1.0)) @ values


@dataclass(frozen=True, slots=True)
class Fitted:
    """A part that has learnt."""

    columns: tuple[Columns, ...]
    coefficients: Any  # a row a label
    bias: Any

    def answers(self, tables: Mapping[str, Table], texts: Any) -> Any:
        """The probabilities of some texts, a column a label."""
        values = sparse.hstack([own.enter(tables[own.plan.name], texts) for own in self.columns]).tocsr()
        scores = values @ self.coefficients.T + self.bias
        powers = np.exp(scores - scores.max(1, keepdims=True))
        return powers / powers.sum(1, keepdims=True)

    def part(self, tables: Mapping[str, Table], share: float) -> LinearModel:
        """What triage reads."""
        starts = np.cumsum([0, *(len(own.kept) for own in self.columns)])
        groups = (
            _group(own, tables[own.plan.name], self.coefficients[:, start : start + len(own.kept)])
            for own, start in zip(self.columns, starts, strict=False)
        )
        return LinearModel(tuple(round(float(value), 4) for value in self.bias), tuple(groups), share)


def fit(plan: PartPlan, examples: Examples, tables: Mapping[str, Table], names: Sequence[str]) -> Fitted:
    """A part for these labels; a label that no example has stays improbable."""
    known = np.concatenate([examples.texts, examples.background]).astype(int)
    columns = tuple(Columns.choose(group, tables[group.name], known) for group in plan.groups)
    matrix = sparse.hstack([own.enter(tables[own.plan.name], examples.texts) for own in columns]).tocsr()
    model = LogisticRegression(C=plan.freedom, max_iter=500, tol=_TOLERANCE)
    model.fit(matrix, examples.labels, examples.weights)
    learnt, bias = model.coef_, model.intercept_
    if len(model.classes_) == 2:  # one row for the second label; the first stands at zero
        learnt, bias = np.vstack([0 * learnt, learnt]), np.array([0.0, bias[0]])
    places = [list(names).index(label) for label in model.classes_]
    coefficients, biases = np.zeros((len(names), matrix.shape[1])), np.full(len(names), -20.0)
    coefficients[places], biases[places] = learnt, bias
    return Fitted(columns, coefficients, biases)


def balance(labels: Sequence[str]) -> Any:
    """Weights under which every label counts the same."""
    counts = Counter(labels)
    return np.array([len(labels) / (len(counts) * counts[label]) for label in labels])


def _group(columns: Columns, table: Table, coefficients: Any) -> FeatureGroup:
    """Rare words count in the length of a text, so that they stay even if they weigh nothing."""
    stored = np.clip(np.round(UNIT * coefficients.T), -_LARGEST, _LARGEST).astype(int)
    weighted = columns.plan.weighted
    kept = [at for at in range(len(columns.kept)) if weighted or np.any(stored[at])]
    places = {table.names[columns.kept[at]]: place for place, at in enumerate(kept)}
    rarity = [round(UNIT * float(columns.rarity[at])) for at in kept] if weighted else []
    weights = [int(value) for at in kept for value in stored[at]]
    return FeatureGroup(columns.plan.name, columns.plan.scale, weighted, places, rarity, weights)
