"""Cosines between a report and files in the space of weighted terms, as BugLocator revises them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bugloss.localize.index.lexical import Scores
from bugloss.localize.index.postings import whole_counts
from bugloss.localize.index.tree_index import TreeIndex


def revised_cosines(index: TreeIndex, question: Mapping[str, int]) -> Scores:
    """rVSM: the cosine of logarithmic tf times idf, times a factor that prefers long files."""
    products = [0.0] * index.size
    square = 0.0
    for term, count in question.items():
        postings = index.postings(term)
        if not postings:
            continue
        rare = math.log(index.size / len(postings))
        asked = (1 + math.log(count)) * rare
        square += asked * asked
        for file, found in whole_counts(postings):
            products[file] += asked * (1 + math.log(found)) * rare
    length = math.sqrt(square) or 1.0
    factors = length_factors(index.lengths[-1])
    return [
        factor * product / (norm * length) if norm else 0.0
        for product, norm, factor in zip(products, norms(index), factors, strict=True)
    ]


def norms(index: TreeIndex) -> list[float]:
    """The length of each file's vector of weighted terms."""
    squares = [0.0] * index.size
    for term in index.terms.places:
        postings = index.postings(term)
        rare = math.log(index.size / len(postings))
        for file, count in whole_counts(postings):
            squares[file] += ((1 + math.log(count)) * rare) ** 2
    return [math.sqrt(square) for square in squares]


def length_factors(lengths: Sequence[int]) -> list[float]:
    """The logistic function of lengths that were brought between 0 and 1."""
    return [1 / (1 + math.exp(-share)) for share in normalised([float(length) for length in lengths])]


def normalised(values: Sequence[float]) -> list[float]:
    """Values between 0 and 1: the least and the most become these two; equal values become 0."""
    least, most = min(values, default=0.0), max(values, default=0.0)
    return [(value - least) / (most - least) if most > least else 0.0 for value in values]


def mixed(one: Sequence[float], other: Sequence[float], share: float) -> Scores:
    """Two scores, both normalised, the second with the given share."""
    pairs = zip(normalised(one), normalised(other), strict=True)
    return [(1 - share) * a + share * b for a, b in pairs]
