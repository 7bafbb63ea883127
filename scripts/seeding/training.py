"""Trains the three classifiers of ``deepfd`` on recorded runs, tells how well they do, and writes them as plain data.

Needs scikit-learn, which nothing else in the project does.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GroupKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from bugloss.core.codec import decode, encode
from bugloss.core.learned import Tree
from bugloss.observe.tools.classifiers import Classifiers, DecisionTree, Neighbours, Scaling
from bugloss.observe.tools.run_features import FEATURES
from seeding.blueprint import FAULTS, HEALTHY
from seeding.rows import Row

LABELS = (HEALTHY, *FAULTS)
NEIGHBOURS = 5
TREES = 30
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Score:
    """Right answers over runs of programs that were not trained on."""

    right: int
    runs: int
    confusion: dict[str, Counter[str]]

    def __str__(self) -> str:
        lines = [f"{self.right} of {self.runs} right ({self.right / self.runs:.1%}); rows are the truth"]
        lines += [f"  {truth:14} {dict(answers.most_common())}" for truth, answers in self.confusion.items()]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Fitted:
    """What scikit-learn made of the rows."""

    scalings: tuple[Scaling, ...]
    table: Any
    labels: Any
    neighbours: KNeighborsClassifier
    tree: DecisionTreeClassifier
    forest: RandomForestClassifier


def fit(rows: Sequence[Row]) -> Fitted:
    """Scales the features and fits the three classifiers; the same rows give the same ones."""
    scalings = tuple(_scaling([row.features[name] for row in rows]) for name in FEATURES)
    table = np.array([_scaled(row, scalings) for row in rows])
    labels = np.array([LABELS.index(row.label) for row in rows])
    tree = DecisionTreeClassifier(max_depth=7, min_samples_leaf=4, class_weight="balanced", random_state=0)
    forest = RandomForestClassifier(
        TREES, max_depth=8, min_samples_leaf=3, class_weight="balanced", random_state=0, n_jobs=1
    )
    models = [model.fit(table, labels) for model in (KNeighborsClassifier(NEIGHBOURS), tree, forest)]
    return Fitted(scalings, table, labels, *models)


def train(rows: Sequence[Row], remark: str) -> Classifiers:
    """The three classifiers, fitted to all rows, as plain data."""
    fitted = fit(rows)
    return Classifiers(
        LABELS,
        tuple(FEATURES),
        fitted.scalings,
        Neighbours(NEIGHBOURS, tuple(tuple(row) for row in fitted.table.tolist()), tuple(fitted.labels.tolist())),
        _plain(fitted.tree),
        tuple(_plain(tree) for tree in fitted.forest.estimators_),
        {"runs": str(len(rows)), "remark": remark},
    )


def cross_validate(rows: Sequence[Row]) -> Score:
    """Trains on four fifths of the programs and asks about the rest, five times; no program is on both sides."""
    groups = [row.program for row in rows]
    confusion: dict[str, Counter[str]] = {label: Counter() for label in LABELS}
    for learned, asked in GroupKFold(FOLDS).split(rows, groups=groups):
        classifiers = train([rows[index] for index in learned], "")
        for index in asked:
            confusion[rows[index].label][classifiers.predict(rows[index].features).label] += 1
    right = sum(answers[label] for label, answers in confusion.items())
    return Score(right, len(rows), confusion)


def disagreements(path: Path, rows: Sequence[Row]) -> dict[str, int]:
    """On how many rows our inference over the written data answers otherwise than scikit-learn's, by classifier."""
    fitted, ours = fit(rows), decode(Classifiers, json.loads(path.read_text(encoding="utf-8")))
    theirs = {
        "k-nearest-neighbours": fitted.neighbours.predict(fitted.table),
        "decision-tree": fitted.tree.predict(fitted.table),
        "random-forest": fitted.forest.predict(fitted.table),
    }
    votes = [ours.predict(row.features).votes for row in rows]
    return {
        name: sum(vote[name] != LABELS[answer] for vote, answer in zip(votes, answers, strict=True))
        for name, answers in theirs.items()
    }


def write(classifiers: Classifiers, path: Path) -> None:
    """One key a line, numbers cut to what matters."""
    plain: dict[str, Any] = encode(classifiers)
    lines = [f"{json.dumps(key)}: {json.dumps(_short(value), separators=(',', ':'))}" for key, value in plain.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _scaling(values: Sequence[float]) -> Scaling:
    known = [value for value in values if value == value]
    if len(known) < 2:
        return Scaling(0.0, 1.0, 0.0)
    low, _, high = quantiles(known, n=4)
    spread = (high - low) / 1.35 or float(np.std(known)) or 1.0
    return Scaling(median(known), spread, median(known))


def _scaled(row: Row, scalings: Sequence[Scaling]) -> list[float]:
    # Rounded as they are written, so that the trees are fitted to what they will be asked.
    return [round(scaling.apply(row.features[name]), 3) for name, scaling in zip(FEATURES, scalings, strict=True)]


def _plain(fitted: DecisionTreeClassifier) -> DecisionTree:
    tree = fitted.tree_
    leaves = np.flatnonzero(tree.children_left < 0).tolist()
    inner = np.flatnonzero(tree.children_left >= 0).tolist()
    places = {node: place for place, node in enumerate(inner)} | {node: -1 - leaf for leaf, node in enumerate(leaves)}
    order = [list(fitted.classes_).index(label) if label in fitted.classes_ else None for label in range(len(LABELS))]
    counts = tree.value[leaves, 0, :]
    nodes = Tree(
        tuple(int(tree.feature[node]) for node in inner),
        tuple(float(tree.threshold[node]) for node in inner),
        tuple(places[int(tree.children_left[node])] for node in inner),
        tuple(places[int(tree.children_right[node])] for node in inner),
    )
    shares = (tuple(0.0 if at is None else float(row[at] / row.sum()) for at in order) for row in counts)
    return DecisionTree(nodes, tuple(shares))


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, list):
        return [_short(item) for item in value]
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    return value
