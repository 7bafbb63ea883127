"""Okapi BM25 of several questions over several fields, in one pass over the postings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bugloss.core.term_weights import rarity, saturation
from bugloss.localize.index.postings import FILE_SHIFT, WHOLE, field_counts, whole_counts
from bugloss.localize.index.table import NumberTable
from bugloss.localize.index.tree_index import TreeIndex

K1, B = 1.2, 0.75  # of whole files
FIELD_K1, FIELD_B = 1.0, 0.3  # of fields, as in BLUiR
_FEW = 4  # files
_COMMON = 0.7  # a term that more of the files have than this tells nothing
MOST_TERMS = 200  # of a question; a log of a thousand lines asks no better than its rarest words

Scores = list[float]


def bm25(index: TreeIndex, question: Mapping[str, float], k1: float = K1, b: float = B) -> Scores:
    """BM25 of one question over whole files."""
    floors = _floors(index, WHOLE, k1, b)
    scores = [0.0] * index.size
    for term, weight in question.items():
        postings = index.postings(term)
        if postings:
            worth = weight * rarity(index.size, len(postings)) * (k1 + 1)
            for file, count in whole_counts(postings):
                scores[file] += worth * count / (count + floors[file])
    return scores


def _floors(index: TreeIndex, field: int, k1: float, b: float) -> list[float]:
    """For each file what a count must beat: more for long files."""
    average = index.average_length(field)
    return [saturation(length, average, k1, b) for length in index.lengths[field]]


def field_scores(
    index: TreeIndex, questions: Sequence[Mapping[str, float]], plain: Mapping[str, float]
) -> tuple[list[list[Scores]], Scores]:
    """For each question and each field, with the whole file as the last one, the score of each file.

    Fields are scored as BLUiR scores them, with a rarity of their own that is squared; whole files by BM25. The
    ``plain`` question is asked of whole files only; its scores come last.
    """
    floors = [*(_floors(index, field, FIELD_K1, FIELD_B) for field in range(WHOLE)), _floors(index, WHOLE, K1, B)]
    scores = [[[0.0] * index.size for _ in range(WHOLE + 1)] for _ in questions]
    by_plain = [0.0] * index.size
    for term in _telling(index, [*questions, plain]):
        found = field_counts(index.postings(term))
        asked = [(scores[q], question[term]) for q, question in enumerate(questions) if term in question]
        for field in range(WHOLE):
            having = [(hit[0], hit[field + 1]) for hit in found if hit[field + 1]]
            if having:
                rare = math.log((index.size + 1) / (len(having) + 0.5)) ** 2
                _add(having, floors[field], [(tables[field], weight * rare) for tables, weight in asked])
        rare = rarity(index.size, len(found)) * (K1 + 1)
        whole = [(file, one + two + three + four) for file, one, two, three, four in found]
        of_whole = [(tables[WHOLE], weight * rare) for tables, weight in asked]
        _add(whole, floors[WHOLE], [*of_whole, (by_plain, plain.get(term, 0.0) * rare)])
    return scores, by_plain


def _add(found: Sequence[tuple[int, int]], floors: Sequence[float], tables: Sequence[tuple[Scores, float]]) -> None:
    """Adds what one term says of the files that have it so often."""
    for file, count in found:
        part = count / (count + floors[file])
        for table, weight in tables:
            table[file] += weight * part


def _telling(index: TreeIndex, questions: Sequence[Mapping[str, float]]) -> list[str]:
    """The terms worth asking about: known, not everywhere, and if there are too many the weightiest."""
    weights: dict[str, float] = {}
    for question in questions:
        for term, weight in question.items():
            weights[term] = weights.get(term, 0.0) + weight
    worth = {}
    for term, weight in weights.items():
        having = index.document_frequency(term)
        if having and (having <= _COMMON * index.size or index.size < 10):
            worth[term] = weight * rarity(index.size, having)
    return sorted(worth, key=lambda term: -worth[term])[:MOST_TERMS]


def pair_scores(table: NumberTable, question: Mapping[str, float], files: int) -> Scores:
    """The weight of a question's terms that short documents have, given as (file, count) pairs per term."""
    scores = [0.0] * files
    for term, weight in question.items():
        pairs = table.get(term)
        if pairs:
            worth = weight * rarity(files, len(pairs) // 2)
            for at in range(0, len(pairs), 2):
                scores[pairs[at]] += worth
    return scores


def coverage(index: TreeIndex, title: Mapping[str, int]) -> Scores:
    """The share of a title's terms, weighted by rarity, that a file has at all."""
    scores, whole = [0.0] * index.size, 0.0
    for term in title:
        postings = index.postings(term)
        worth = rarity(index.size, len(postings))
        whole += worth
        for posting in postings:
            scores[posting >> FILE_SHIFT] += worth
    return [score / whole for score in scores] if whole else scores


def rare_words(index: TreeIndex, words: Mapping[str, int]) -> Scores:
    """How many of the words that hardly any file has a file has, each shared among those that do."""
    scores = [0.0] * index.size
    for term in words:
        postings = index.postings(term)
        if 0 < len(postings) <= _FEW:
            for posting in postings:
                scores[posting >> FILE_SHIFT] += 1 / len(postings)
    return scores
