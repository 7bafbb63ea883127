"""Nested cross-validation: heads are taught, choices and all, without the rows that they are then asked about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score
from sklearn.model_selection import LeaveOneGroupOut, StratifiedKFold

from triaging.teaching import Lesson, teach

SEEDS = (0, 1, 2)
FOLDS = 10


@dataclass(frozen=True, slots=True)
class Answers:
    """Probabilities for every row from heads that never saw it, one table a repetition; how often parts were chosen."""

    names: tuple[str, ...]
    tables: tuple[Any, ...]
    chosen: Counter[str]

    def scores(self, labels: Sequence[str]) -> dict[str, list[float]]:
        """Accuracy, macro-F1 and balanced accuracy of each repetition."""
        guesses = [[self.names[at] for at in table.argmax(1)] for table in self.tables]
        return {
            "accuracy": [round(float(accuracy_score(labels, guess)), 4) for guess in guesses],
            "macro_f1": [round(float(f1_score(labels, guess, average="macro")), 4) for guess in guesses],
            "balanced_accuracy": [round(float(balanced_accuracy_score(labels, guess)), 4) for guess in guesses],
        }

    def without(self, label: str, labels: Sequence[str]) -> tuple[Answers, list[str]]:
        """The same for rows that have another label, where this one is no answer; and the labels of those rows."""
        rows = [at for at, own in enumerate(labels) if own != label]
        columns = [at for at, name in enumerate(self.names) if name != label]
        tables = (table[rows][:, columns] for table in self.tables)
        kept = tuple(table / table.sum(1, keepdims=True) for table in tables)
        return Answers(tuple(self.names[at] for at in columns), kept, self.chosen), [labels[at] for at in rows]


def cross_validate(lesson: Lesson, seeds: Sequence[int] = SEEDS, folds: int = FOLDS) -> Answers:
    """Ten folds, one repetition a seed."""
    splitters = [StratifiedKFold(folds, shuffle=True, random_state=seed) for seed in seeds]
    return _answers(lesson, [splitter.split(lesson.labels, lesson.truth) for splitter in splitters])


def leave_projects_out(lesson: Lesson) -> Answers:
    """Each project judged by a head that saw none of its issues, not even those that we labelled."""
    return _answers(lesson, [LeaveOneGroupOut().split(lesson.labels, lesson.truth, lesson.projects)], apart=True)


def _answers(lesson: Lesson, splits: Sequence[Iterator[tuple[Any, Any]]], *, apart: bool = False) -> Answers:
    tables, chosen = [], Counter[str]()
    for split in splits:
        table = np.zeros((len(lesson.labels), len(lesson.names)))
        for known, asked in split:
            unseen = frozenset(lesson.projects[at] for at in asked) if apart else frozenset()
            taught = teach(lesson, known, unseen)
            table[asked] = taught.answers(lesson.texts[asked])
            chosen.update({**taught.choice.shares, f"favour {taught.choice.favour}": 1})
        tables.append(table)
    return Answers(lesson.names, tuple(tables), chosen)


def calibration(answers: Answers, labels: Sequence[str], bins: int = 10) -> list[dict[str, float]]:
    """How often answers of a certain sureness were right; the curve of a good model is a diagonal."""
    sure, right = [], []
    for table in answers.tables:
        sure += list(table.max(1))
        right += [answers.names[at] == label for at, label in zip(table.argmax(1), labels, strict=True)]
    place = np.minimum((np.array(sure) * bins).astype(int), bins - 1)
    curve = []
    for at in range(bins):
        chosen = place == at
        if chosen.any():
            mean, share = float(np.array(sure)[chosen].mean()), float(np.array(right)[chosen].mean())
            curve.append({"probability": round(mean, 4), "right": round(share, 4), "answers": int(chosen.sum())})
    return curve


def expected_error(curve: Sequence[dict[str, float]]) -> float:
    """The mean distance of the curve from the diagonal, weighted by answers."""
    whole = sum(point["answers"] for point in curve)
    return round(sum(abs(point["probability"] - point["right"]) * point["answers"] for point in curve) / whole, 4)
