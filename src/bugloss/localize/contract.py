"""What a localization technique must offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bugloss.core.report import Report
from bugloss.core.triage import Triage
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.lexical import Scores
from bugloss.localize.question.earlier import EarlierReport
from bugloss.localize.question.query import Query

OUTSIDE = "outside"  # the leaning of a report whose cause lies outside of the source


@dataclass(frozen=True, slots=True)
class Question:
    """A report to be localized, and the reports that were fixed before it was opened.

    ``leanings`` are triage's probabilities: of each type of bug by its name, and of ``OUTSIDE``, a cause that lies
    outside of the source.
    """

    query: Query
    earlier: Sequence[EarlierReport] = ()
    leanings: Mapping[str, float] = field(default_factory=dict)
    report: Report | None = None  # for techniques that read more than words


def leanings(judged: Triage) -> dict[str, float]:
    """What triage thinks of a report, as a ranker asks for it."""
    guess, origin = judged.bug_type, judged.origin
    types = {guess.label.value: guess.probability} | {one.label: one.probability for one in guess.alternatives}
    return types | {OUTSIDE: origin.probability if origin.extrinsic else 1 - origin.probability}


class Technique(Protocol):
    """A way to score files: the larger, the sooner to be opened."""

    name: str
    title: str

    def score(self, corpus: FileCorpus, question: Question) -> Scores:
        """One score for each file of the corpus."""
        ...
