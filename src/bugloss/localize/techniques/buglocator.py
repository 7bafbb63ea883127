"""BugLocator: rVSM over source files, mixed with SimiScore over earlier fixed reports.

Zhou, Zhang and Lo, Where Should the Bugs Be Fixed? (ICSE 2012). α = 0.2, their value for all but the largest project.
"""

from __future__ import annotations

from bugloss.localize.contract import Question
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.lexical import Scores
from bugloss.localize.index.vector_space import mixed, revised_cosines
from bugloss.localize.question.earlier import resemblance

ALPHA = 0.2


class BugLocator:
    """(1 - α) N(rVSM) + α N(SimiScore)."""

    name = "buglocator"
    title = "BugLocator: revised vector space model and similar fixed reports"

    def score(self, corpus: FileCorpus, question: Question) -> Scores:
        words = question.query.words
        similar = resemblance(words, question.earlier, corpus.index.paths).total
        return mixed(revised_cosines(corpus.index, words), similar, ALPHA)
