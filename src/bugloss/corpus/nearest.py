"""Which known failures a new one is like, and why.

Five things are compared, each from 0 to 1: what crash triage calls the failure, the words of the message (rare ones
weigh more), the class of the exception, the functions on the way, and the words of the report around it (BM25). A
failure without an exception is compared by its words alone. What scores below ``NEAR`` is not called near.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bugloss.corpus.failure import Failure, KnownFailure

NEAR = 0.45
NEAR_BY_WORDS = 0.4

_CAUSE, _MESSAGE, _EXCEPTION, _NAMES, _WORDS = 0.35, 0.28, 0.1, 0.07, 0.2
_SAME_KIND = 0.35  # of another cause, but of the same kind
_ENOUGH_INFORMATION = 12.0  # so many nats of shared words are a full match, however few words were given
_SATURATION, _LENGTH = 1.2, 0.5
_TOKEN = re.compile(r"[A-Za-z_]{2,}")


@dataclass(frozen=True, slots=True)
class SimilarFailure:
    """A bug that failed alike: how much, from 0 to 1, and in what."""

    bug: str
    score: float
    why: tuple[str, ...]


def nearest(failure: Failure, known: Sequence[KnownFailure], limit: int = 5) -> list[SimilarFailure]:
    """The bugs that failed most like this, the nearest first; empty where none is near."""
    comparison = _Comparison(failure, known)
    least = NEAR if failure.exception else NEAR_BY_WORDS
    likenesses = (comparison.compare(other) for other in known)
    near = [likeness for likeness in likenesses if likeness.score >= least]
    nearest_first = sorted(near, key=lambda likeness: (-likeness.score, likeness.other.bug))
    return [comparison.explain(likeness) for likeness in nearest_first[:limit]]


class _Likeness(NamedTuple):
    """How alike a known failure is, in all and part by part; a tuple, because every known bug gets one."""

    other: KnownFailure
    score: float
    cause: float = 0.0
    message: float = 0.0
    exception: float = 0.0
    names: float = 0.0
    words: float = 0.0


class _Comparison:
    """One failure against all known ones: what does not depend on the other one is worked out once."""

    def __init__(self, failure: Failure, known: Sequence[KnownFailure]) -> None:
        self._new = failure
        rarity = _rarity(other.failure.words for other in known)
        self._words = {word: rarity.of(word) for word in failure.words if rarity.knows(word)}
        self._most = max(sum(self._words.values()), _ENOUGH_INFORMATION)
        self._message_words = set(_TOKEN.findall(failure.template.lower()))
        self._tokens = _rarity(_TOKEN.findall(other.failure.template.lower()) for other in known)
        self._names = set(failure.names)
        self._calls = _rarity(other.failure.names for other in known)
        lengths = [sum(other.failure.words.values()) for other in known]
        self._usual_length = sum(lengths) / len(lengths) if lengths else 1.0

    def compare(self, other: KnownFailure) -> _Likeness:
        """How alike the failures are."""
        words = min(sum(self._shared_words(other.failure).values()) / self._most, 1.0)
        if not self._new.exception:
            return _Likeness(other, round(words, 3), words=words)
        old = other.failure
        parts = (
            _CAUSE * self._cause(old),
            _MESSAGE * self._message(old),
            _EXCEPTION * (old.exception == self._new.exception),
            _NAMES * _cosine(self._names, set(old.names), self._calls),
            _WORDS * words,
        )
        return _Likeness(other, round(sum(parts), 3), *parts)

    def explain(self, likeness: _Likeness) -> SimilarFailure:
        """The likeness with the reasons that count, the weightiest first."""
        old = likeness.other.failure
        shared = self._shared_words(old)
        rarest_words = ", ".join(sorted(shared, key=lambda word: -shared[word])[:6])
        rarest_calls = sorted(self._names & set(old.names), key=lambda name: (-self._calls.of(name), name))[:4]
        same_cause = old.cause == self._new.cause
        parts = [
            (likeness.cause, f"same cause: {old.cause}" if same_cause else f"same kind: {old.kind}"),
            (likeness.message, f"message alike ({likeness.message / _MESSAGE:.0%}): {_short(old.template)}"),
            (likeness.exception, f"same exception: {old.exception}"),
            (likeness.names, f"both went through {', '.join(rarest_calls)}"),
            (likeness.words, f"words in common: {rarest_words}"),
        ]
        return SimilarFailure(likeness.other.bug, likeness.score, _reasons(parts))

    def _cause(self, old: Failure) -> float:
        if self._new.cause and self._new.cause == old.cause:
            return 1.0
        return _SAME_KIND if self._new.kind and self._new.kind == old.kind else 0.0

    def _message(self, old: Failure) -> float:
        """Cosine of the messages' words, weighed by their rarity; the same template is a full match."""
        if self._new.template and self._new.template == old.template:
            return 1.0
        return _cosine(self._message_words, set(_TOKEN.findall(old.template.lower())), self._tokens)

    def _shared_words(self, old: Failure) -> dict[str, float]:
        """What each word that both have adds to BM25; a report with all the words would get ``_most``."""
        length = sum(old.words.values()) / self._usual_length if self._usual_length else 1.0
        damping = _SATURATION * (1 - _LENGTH + _LENGTH * length)
        shared = {}
        for word, rarity in self._words.items():
            if count := old.words.get(word, 0):
                shared[word] = rarity * min(count * (_SATURATION + 1) / (count + damping), 1.0)
        return shared


class _Rarity:
    """How much a word tells: the fewer documents have it, the more."""

    def __init__(self, counts: Counter[str], documents: int) -> None:
        self._counts, self._documents = counts, documents

    def of(self, word: str) -> float:
        count = self._counts.get(word, 0)
        return math.log(1 + (self._documents - count + 0.5) / (count + 0.5))

    def knows(self, word: str) -> bool:
        return word in self._counts


def _rarity(documents: Iterable[Iterable[str]]) -> _Rarity:
    counts: Counter[str] = Counter()
    number = 0
    for number, document in enumerate(documents, start=1):  # noqa: B007 - the last number is their count
        counts.update(set(document))
    return _Rarity(counts, number)


def _cosine(first: set[str], second: set[str], rarity: _Rarity) -> float:
    def length(words: set[str]) -> float:
        return math.sqrt(sum(rarity.of(word) ** 2 for word in words))

    shared = sum(rarity.of(word) ** 2 for word in first & second)
    lengths = length(first) * length(second)
    return shared / lengths if lengths else 0.0


def _reasons(parts: Sequence[tuple[float, str]]) -> tuple[str, ...]:
    return tuple(text for weight, text in sorted(parts, key=lambda part: -part[0]) if weight > 0.02)


def _short(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:99]}…"
