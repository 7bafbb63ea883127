"""Cross-validation of the heads: fixed folds, several seeds, and whole projects left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score
from sklearn.model_selection import LeaveOneGroupOut, StratifiedKFold

from bugloss.triage.classifier import read_heads
from bugloss.triage.features import Features

SEEDS = (0, 1, 2)
FOLDS = 10
Fit = Callable[[Sequence[int]], dict[str, Any]]  # numbers of the training rows → a head


@dataclass(frozen=True, slots=True)
class Answers:
    """Probabilities for every row from models that never saw it; one table a repetition."""

    names: tuple[str, ...]
    tables: tuple[Any, ...]

    def scores(self, labels: Sequence[str]) -> dict[str, list[float]]:
        """Accuracy, macro-F1 and balanced accuracy of each repetition."""
        guesses = [[self.names[at] for at in table.argmax(1)] for table in self.tables]
        return {
            "accuracy": [round(float(accuracy_score(labels, guess)), 4) for guess in guesses],
            "macro_f1": [round(float(f1_score(labels, guess, average="macro")), 4) for guess in guesses],
            "balanced_accuracy": [round(float(balanced_accuracy_score(labels, guess)), 4) for guess in guesses],
        }


def cross_validate(
    rows: Sequence[Features], labels: Sequence[str], fit: Fit, seeds: Sequence[int] = SEEDS, folds: int = FOLDS
) -> Answers:
    """Ten folds, one repetition a seed."""
    splitters = (StratifiedKFold(folds, shuffle=True, random_state=seed).split(rows, labels) for seed in seeds)
    return _answers(rows, labels, fit, splitters)


def leave_projects_out(rows: Sequence[Features], labels: Sequence[str], fit: Fit, projects: Sequence[str]) -> Answers:
    """Each project judged by a model that saw none of its issues."""
    return _answers(rows, labels, fit, [LeaveOneGroupOut().split(rows, labels, projects)])


def _answers(rows: Sequence[Features], labels: Sequence[str], fit: Fit, splitters: Any) -> Answers:
    names = tuple(sorted(set(labels)))
    tables = []
    for splitter in splitters:
        table = np.zeros((len(rows), len(names)))
        for train, test in splitter:
            head = read_heads({"heads": {"tried": fit([int(at) for at in train])}})["tried"]
            for at in test:
                answer = head.probabilities(rows[at])
                table[at] = [answer.get(name, 0.0) for name in names]
        tables.append(table)
    return Answers(names, tuple(tables))


def temperature(answers: Answers, labels: Sequence[str]) -> float:
    """The temperature at which the probabilities of held-back rows are most likely."""
    truth = [answers.names.index(label) for label in labels]

    def surprise(value: float) -> float:
        total = 0.0
        for table in answers.tables:
            powers = np.clip(table, 1e-6, 1.0) ** (1 / value)
            shares = powers / powers.sum(1, keepdims=True)
            total -= float(np.log(shares[np.arange(len(truth)), truth]).mean())
        return total

    return round(float(min(np.arange(0.3, 2.01, 0.05), key=surprise)), 2)


def calibration(answers: Answers, labels: Sequence[str], value: float, bins: int = 10) -> list[dict[str, float]]:
    """How often answers of a certain sureness were right; the curve of a good model is a diagonal."""
    sure, right = [], []
    for table in answers.tables:
        powers = np.clip(table, 1e-6, 1.0) ** (1 / value)
        shares = powers / powers.sum(1, keepdims=True)
        sure += list(shares.max(1))
        right += [answers.names[at] == label for at, label in zip(shares.argmax(1), labels, strict=True)]
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
