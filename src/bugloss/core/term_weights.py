"""What shared terms are worth: BM25's parts and the cosine, for every room that compares texts."""

from __future__ import annotations

import math
from collections.abc import Mapping


def rarity(documents: int, having: int) -> float:
    """How telling a term is that so many of the documents have; never below zero."""
    return math.log(1 + (documents - having + 0.5) / (having + 0.5))


def saturation(length: float, average: float, k1: float, b: float) -> float:
    """BM25: a count says ``count / (count + saturation)``; in long documents a term must occur more often."""
    return k1 * (1 - b + b * length / (average or 1.0))


def damped(counts: Mapping[str, int]) -> dict[str, float]:
    """Counts of terms, so that a word said thirty times does not drown the rest."""
    return {term: 1 + math.log(count) for term, count in counts.items()}


def weighted(counts: Mapping[str, int], having: Mapping[str, int], documents: int) -> dict[str, float]:
    """Damped counts times rarity, of the terms that some of the documents have."""
    return {term: weight * rarity(documents, having[term]) for term, weight in damped(counts).items() if term in having}


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """From 0, nothing in common, to 1, the same terms in the same proportions."""
    small, large = (one, other) if len(one) < len(other) else (other, one)
    product = sum(weight * large[term] for term, weight in small.items() if term in large)
    lengths = math.hypot(*one.values()) * math.hypot(*other.values())
    return product / lengths if lengths else 0.0
