"""The heads of triage: which parts answer which question, and how the issues' heads are taught.

Only 225 issues are labelled by the study. We labelled 758 more of the same projects by title and first sentence, more
roughly, so they count less (``own_labels.csv``). The rest, some thirteen hundred, a first model labels, each with how
sure it is; the model that is kept learns from all three. With a sentence encoder (extra ``dlrepro``) the first model
sees more than words; the kept one needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from bugloss.triage.classifier import read_heads
from bugloss.triage.features import Features
from triaging.fitting import Examples, GroupPlan, PartPlan, balance, fit_head

CLUES = PartPlan((GroupPlan("clues", weighted=False),), 0.07)
JOINT = PartPlan(
    (GroupPlan("words", least=5), GroupPlan("title", least=3), GroupPlan("clues", 0.15, weighted=False, least=4)), 6.0
)
QUESTION_CLUES = PartPlan((GroupPlan("clues", weighted=False), GroupPlan("tags", weighted=False)), 0.1)
QUESTION_WORDS = PartPlan((GroupPlan("words"), GroupPlan("title", 0.7), GroupPlan("tags", 0.7)), 2.0)
SOURCE = PartPlan((GroupPlan("words", least=4),), 10.0)
# How much all labels of a kind together count against those of the study.
_OWN_TRUST = 0.8
_GUESS_TRUST = 0.4


@dataclass(frozen=True, slots=True)
class Labelled:
    """Issues with labels; ``vectors`` are their sentence embeddings, where there are any."""

    rows: Sequence[Features]
    labels: Sequence[str]
    vectors: Any = None


@dataclass(frozen=True, slots=True)
class Unlabelled:
    """Issues nobody has labelled."""

    rows: Sequence[Features]
    vectors: Any = None


def question_head(rows: Sequence[Features], labels: Sequence[str]) -> dict[str, Any]:
    """The type of a Stack Overflow question."""
    examples = Examples(rows, labels, [1.0] * len(rows))
    return fit_head([(QUESTION_CLUES, examples), (QUESTION_WORDS, examples)])


def issue_head(given: Labelled, own: Labelled, rest: Unlabelled) -> dict[str, Any]:
    """The type of an issue, learnt from given, from our own and from guessed labels."""
    known = _known(given, own, rest)
    guessed, sureness = _teach(known, given, own, rest)
    shares = _shares(guessed, sureness, _GUESS_TRUST * len(given.rows))
    everything = Examples([*known.rows, *rest.rows], [*known.labels, *guessed], [*known.weights, *shares])
    return fit_head([(CLUES, known), (JOINT, everything)])


def origin_head(given: Labelled, own: Labelled, rest: Unlabelled) -> dict[str, Any]:
    """Whether an issue comes from inside the project; guessed labels do not help here, knowing rare words does."""
    return fit_head([(JOINT, _known(given, own, rest))])


def source_head(questions: Sequence[Features], issues: Sequence[Features]) -> dict[str, Any]:
    """Whether a text of unknown source reads like a question or like an issue."""
    rows = [*questions, *issues]
    labels = ["question"] * len(questions) + ["issue"] * len(issues)
    return fit_head([(SOURCE, Examples(rows, labels, list(balance(labels))))])


def _known(given: Labelled, own: Labelled, rest: Unlabelled) -> Examples:
    """Every label counts the same, among the study's as among ours; ours count less."""
    weights = [float(value) for value in balance(given.labels)]
    if own.rows:
        share = _OWN_TRUST * len(given.rows) / len(own.rows)
        weights += [float(value) * share for value in balance(own.labels)]
    return Examples([*given.rows, *own.rows], [*given.labels, *own.labels], weights, rest.rows)


def _teach(known: Examples, given: Labelled, own: Labelled, rest: Unlabelled) -> tuple[list[str], list[float]]:
    """Labels for the unlabelled, and how sure each is."""
    head = read_heads({"heads": {"first": fit_head([(CLUES, known), (JOINT, known)])}})["first"]
    answers = [head.probabilities(row) for row in rest.rows]
    guesses = np.array([[answer[label] for label in head.labels] for answer in answers])
    if given.vectors is not None and rest.vectors is not None:
        vectors = np.vstack([given.vectors, own.vectors]) if own.rows else given.vectors
        model = LogisticRegression(C=3.0, max_iter=2000).fit(vectors, known.labels, known.weights)
        guesses = guesses * 2 / 3 + model.predict_proba(rest.vectors) / 3
    return [head.labels[at] for at in guesses.argmax(1)], [float(value) for value in guesses.max(1)]


def _shares(guessed: Sequence[str], sureness: Sequence[float], whole: float) -> list[float]:
    """Weights of guessed labels: the surer the more, every label the same in all."""
    mass = dict.fromkeys(guessed, 0.0)
    for label, sure in zip(guessed, sureness, strict=True):
        mass[label] += sure
    return [whole / len(mass) * sure / mass[label] for label, sure in zip(guessed, sureness, strict=True)]
