"""What a localization technique must offer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bugloss.localize.corpus import Corpus
from bugloss.localize.earlier import EarlierReport
from bugloss.localize.lexical import Scores
from bugloss.localize.query import Query


@dataclass(frozen=True, slots=True)
class Question:
    """A report to be localized, and the reports that were fixed before it was opened."""

    query: Query
    earlier: Sequence[EarlierReport] = ()


class Technique(Protocol):
    """A way to score files: the larger, the sooner to be opened."""

    name: str
    title: str

    def score(self, corpus: Corpus, question: Question) -> Scores:
        """One score for each file of the corpus."""
        ...
