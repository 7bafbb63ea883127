"""Teaches heads. What is chosen is chosen by cross-validation inside the rows that a head is given, and only there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from bugloss.triage.classifier import ClassifierHead
from triaging.choosing import Choice, pick, settle
from triaging.fitting import Examples, Fitted, PartPlan, balance, fit
from triaging.tables import Table

_FOLDS = 3
_SEED = 100


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question, and everything to learn its answer from; texts are numbers of rows in ``tables``."""

    tables: Mapping[str, Table]
    candidates: Mapping[str, PartPlan]
    texts: Any
    labels: tuple[str, ...]
    projects: tuple[str, ...]
    own: Any  # texts that we labelled ourselves
    own_labels: tuple[str, ...]
    own_projects: tuple[str, ...]
    background: Any  # texts that only tell which words are rare
    background_projects: tuple[str, ...]
    even: bool  # whether every label counts the same, however frequent
    picky: bool = True  # whether candidates are chosen, or all are used
    favours: tuple[float, ...] = (0.0,)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(set(self.labels)))

    @property
    def truth(self) -> Any:
        return np.array([self.names.index(label) for label in self.labels])

    def examples(self, plan: PartPlan, rows: Any, unseen: frozenset[str]) -> Examples:
        """Some rows with our own labels beside them; nothing of projects that are to stay unseen."""
        labels = [self.labels[at] for at in rows]
        weights = balance(labels) if self.even else np.ones(len(rows))
        background = self.background[_others(self.background_projects, unseen)]
        open_own = _others(self.own_projects, unseen)
        if not plan.trust or not len(open_own):
            return Examples(self.texts[rows], labels, weights, background)
        own_labels = [self.own_labels[at] for at in open_own]
        own_weights = balance(own_labels) * plan.trust * len(rows) / len(open_own)
        texts = np.concatenate([self.texts[rows], self.own[open_own]])
        return Examples(texts, [*labels, *own_labels], np.concatenate([weights, own_weights]), background)

    def fit(self, name: str, rows: Any, unseen: frozenset[str]) -> Fitted:
        plan = self.candidates[name]
        return fit(plan, self.examples(plan, rows, unseen), self.tables, self.names)


def _others(projects: tuple[str, ...], unseen: frozenset[str]) -> Any:
    return np.array([at for at, name in enumerate(projects) if name not in unseen], int)


@dataclass(frozen=True, slots=True)
class Taught:
    """A head that has learnt, with what was chosen for it."""

    lesson: Lesson
    choice: Choice
    parts: Mapping[str, Fitted]
    frequencies: Any

    def answers(self, texts: Any) -> Any:
        """The probabilities of some texts."""
        tables = {name: part.answers(self.lesson.tables, texts) for name, part in self.parts.items()}
        return self.choice.join(tables, self.frequencies)

    def head(self) -> ClassifierHead:
        """What triage reads."""
        shares = self.choice.shares
        parts = (part.part(self.lesson.tables, float(shares[name])) for name, part in self.parts.items())
        favour = tuple(round(float(value), 4) for value in self.frequencies**self.choice.favour)
        return ClassifierHead(self.lesson.names, self.choice.temperature, tuple(parts), favour)


def teach(lesson: Lesson, rows: Any, unseen: frozenset[str] = frozenset()) -> Taught:
    """A head from some rows of a lesson; others, and projects that are to stay unseen, leave no trace in it."""
    truth = lesson.truth[rows]
    tables = {name: np.zeros((len(rows), len(lesson.names))) for name in lesson.candidates}
    splitter = StratifiedKFold(_FOLDS, shuffle=True, random_state=_SEED)
    for known, asked in splitter.split(rows, truth):
        for name, table in tables.items():
            table[asked] = lesson.fit(name, rows[known], unseen).answers(lesson.tables, lesson.texts[rows[asked]])
    weights = balance(list(truth)) if lesson.even else np.ones(len(rows))
    every = {name: plan.share for name, plan in lesson.candidates.items()}
    shares = pick(tables, truth, weights) if lesson.picky else every
    choice = settle(tables, shares, truth, lesson.favours)
    parts = {name: lesson.fit(name, rows, unseen) for name in choice.shares}
    return Taught(lesson, choice, parts, np.bincount(truth, minlength=len(lesson.names)) / len(rows))
