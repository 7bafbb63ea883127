"""A commit that may become a bug of the corpus, with a score and its reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bugloss.core.plural import plural
from bugloss.core.taxonomy import FixPattern
from bugloss.mine.change import CommitChange
from bugloss.mine.learning_code import changed_lines, imported_frameworks, learning_names
from bugloss.mine.message import MessageVerdict

MOST_FILES, MOST_LINES = 3, 40  # larger fixes are several changes at once, or too large to re-create
FEW_LINES = 8
LEAST_NAMES = 1  # a change without a name of networks or training is about something else


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fix of deep-learning code; ``score`` is between 0 and 1, ``reasons`` say what counts for and against it."""

    repository: str
    commit: str
    parent: str
    day: str
    subject: str
    issues: tuple[int, ...]
    files: tuple[str, ...]
    tests: tuple[str, ...]
    lines: int
    frameworks: tuple[str, ...]
    patterns: tuple[FixPattern, ...]
    score: float
    reasons: tuple[str, ...]
    stack: str = ""
    python: str = ""
    group: str = ""  # the fingerprint of the fix; equal for similar ones


def make_candidate(
    repository: str, change: CommitChange, message: MessageVerdict, patterns: Sequence[FixPattern]
) -> Candidate | None:
    """The candidate that a commit is, or None where it is not a small fix of deep-learning code."""
    diffs = [changed_lines(file) for file in change.files]
    lines = sum(diff.count for diff in diffs)
    frameworks = imported_frameworks(change)
    names = learning_names(line for diff in diffs for line in (*diff.removed, *diff.added))
    if not message.fixes or not frameworks or len(names) < LEAST_NAMES:
        return None
    if not 0 < lines <= MOST_LINES or not 0 < len(change.files) <= MOST_FILES:
        return None
    weights = dict(_weights(change, message, lines, names, patterns))
    return Candidate(
        repository,
        change.commit,
        change.parent,
        change.day.isoformat(),
        change.subject,
        (*message.closes, *message.mentions),
        tuple(file.path for file in change.files),
        change.tests,
        lines,
        frameworks,
        tuple(patterns),
        round(max(0.0, min(1.0, sum(weights.values()) / _BEST)), 3),
        tuple(f"{words} ({weight:+g})" for words, weight in weights.items()),
    )


_BEST = 10.0  # what a fix scores for which everything counts


def _weights(
    change: CommitChange, message: MessageVerdict, lines: int, names: Sequence[str], patterns: Sequence[FixPattern]
) -> list[tuple[str, float]]:
    """A small fix of one file, with a test and an issue, that changes what a network or its training does."""
    found = [(f"changes {', '.join(names[:4])}", min(len(names), 3) * 0.8)]
    found += [(f"fix pattern {patterns[0].value}", 1.6)] if patterns else []
    found += [(plural(lines, "changed line"), 1.5 if lines <= FEW_LINES else 0.5)]
    found += [("one file", 1.0)] if len(change.files) == 1 else []
    found += [("adds or changes a test", 1.5)] if change.tests else []
    found += [("names an issue", 1.2)] if message.closes else [("names a number", 0.5)] if message.mentions else []
    found += [(f"says '{message.symptom}'", 0.8)] if message.symptom else []
    found += [(f"changes {change.others} other files", -0.5)] if change.others else []
    return found
