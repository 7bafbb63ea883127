"""BLIA: structured similarity and similar reports, then version history, then stack traces.

Youm, Ahn and Lee, Improved Bug Localization Based on Code Change Histories and Bug Reports (IST 2017): similar reports
with α, commits that mention a fix within the last k days with β, and a traceback's files with one over their rank,
those they import with a tenth. α = 0.4, β = 0.2 and k = 120 days.
"""

from __future__ import annotations

import math

from bugloss.localize.contract import Question
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.lexical import Scores
from bugloss.localize.index.vector_space import length_factors, mixed
from bugloss.localize.question.earlier import resemblance
from bugloss.localize.question.mentions import Resolver
from bugloss.localize.question.query import Query
from bugloss.localize.techniques.bluir import Bluir

ALPHA, BETA, DAYS = 0.4, 0.2, 120
_FULL_RANKS, _LEAST = 10, 0.1
_DAY = 86_400


class Blia:
    """N((1 - β) ((1 - α) structure + α reports) + β commits) + traces."""

    name = "blia"
    title = "BLIA: structure, similar reports, version history and stack traces"

    def score(self, corpus: FileCorpus, question: Question) -> Scores:
        structure = Bluir().score(corpus, question)
        weighted = [
            score * factor for score, factor in zip(structure, length_factors(corpus.index.lengths[-1]), strict=True)
        ]
        similar = resemblance(question.query.words, question.earlier, corpus.index.paths).total
        texts = mixed(weighted, similar, ALPHA)
        both = mixed(texts, commit_scores(corpus), BETA)
        return [score + trace for score, trace in zip(both, trace_scores(corpus, question.query), strict=True)]


def commit_scores(corpus: FileCorpus) -> Scores:
    """Fixes of the last k days, each worth more the younger it is."""
    return [sum(map(_worth, _ages(corpus, file))) for file in range(corpus.index.size)]


def _ages(corpus: FileCorpus, file: int) -> list[float]:
    ages = ((corpus.history.now - time) / _DAY for time in corpus.history.of(file).fix_times)
    return [age for age in ages if 0 <= age <= DAYS]


def _worth(age: float) -> float:
    return 1 / (1 + math.exp(12 * (1 - (DAYS - age) / DAYS)))


def trace_scores(corpus: FileCorpus, query: Query) -> Scores:
    """Files of the traceback from its innermost frame on, and what these import."""
    scores = [0.0] * corpus.index.size
    resolver, rank = Resolver(corpus.index), 0
    for frame in reversed(query.frames):
        files, parts = resolver.files_of(frame.path)
        if not files or (parts < 2 and len(files) > 1):
            continue
        rank += 1
        for file in files:
            scores[file] = max(scores[file], 1 / rank if rank <= _FULL_RANKS else _LEAST)
            for imported in corpus.index.imports[file]:
                scores[imported] = max(scores[imported], _LEAST)
    return scores
