"""Okapi BM25 over whole files: the plain way, and the one to beat.

Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), with their usual k1 and b.
"""

from __future__ import annotations

from bugloss.core.term_weights import damped
from bugloss.localize.contract import Question
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.lexical import Scores, bm25


class Bm25:
    """Words of the report against words of the file."""

    name = "bm25"
    title = "Okapi BM25 over split identifiers, comments and strings"

    def score(self, corpus: FileCorpus, question: Question) -> Scores:
        return bm25(corpus.index, damped(question.query.words))
