"""BLUiR: eight similarities, of class, method, variable and comment terms to the report's summary and description.

Saha, Lease, Khurshid and Perry, Improving Bug Localization Using Structured Information Retrieval (ASE 2013). They use
Indri's TF-IDF, whose document part is Okapi's with k1 = 1.0 and b = 0.3 and whose idf is squared, and add all eight.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from bugloss.localize.contract import Question
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.lexical import Scores
from bugloss.localize.index.postings import FIELDS, count_in, file_of
from bugloss.localize.index.tree_index import TreeIndex

K1, B = 1.0, 0.3


class Bluir:
    """The sum of eight field similarities."""

    name = "bluir"
    title = "BLUiR: structured retrieval over eight pairs of fields"

    def score(self, corpus: FileCorpus, question: Question) -> Scores:
        scores = [0.0] * corpus.index.size
        for asked in (question.query.title, question.query.description):
            for field in range(len(FIELDS)):
                for at, score in enumerate(similarity(corpus.index, asked, field)):
                    scores[at] += score
        return scores


def similarity(index: TreeIndex, asked: Mapping[str, int], field: int) -> Scores:
    """One of the eight: the terms of one part of the report against one field of each file."""
    scores = [0.0] * index.size
    average = index.average_length(field) or 1.0
    lengths = index.lengths[field]
    for term, count in asked.items():
        found = [(file_of(posting), times) for posting in index.postings(term) if (times := count_in(posting, field))]
        if not found:
            continue
        rare = math.log((index.size + 1) / (len(found) + 0.5))
        for file, times in found:
            weight = K1 * times / (times + K1 * (1 - B + B * lengths[file] / average))
            scores[file] += count * weight * rare * rare
    return scores
