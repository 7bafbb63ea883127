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

from bugloss.corpus.failure import Failure, KnownFailure

NEAR = 0.45
NEAR_BY_WORDS = 0.4

_CAUSE, _MESSAGE, _EXCEPTION, _NAMES, _WORDS = 0.35, 0.28, 0.1, 0.07, 0.2
_SAME_KIND = 0.35  # of another cause, but of the same kind
_ENOUGH_INFORMATION = 12.0  # so many nats of shared words are a full match, however few words were given
_SATURATION, _LENGTH = 1.2, 0.5
_TOKEN = re.compile(r"[A-Za-z_]{2,}")


@dataclass(frozen=True, slots=True)
class Match:
    """A bug that failed alike: how much, from 0 to 1, and in what."""

    bug: str
    score: float
    why: tuple[str, ...]


def nearest(failure: Failure, known: Sequence[KnownFailure], limit: int = 5) -> list[Match]:
    """The bugs that failed most like this, the nearest first; empty where none is near."""
    comparison = _Comparison(failure, known)
    least = NEAR if failure.exception else NEAR_BY_WORDS
    matches = [match for other in known if (match := comparison.match(other)).score >= least]
    return sorted(matches, key=lambda match: (-match.score, match.bug))[:limit]


class _Comparison:
    """One failure against all known ones: how rare each word is among them is counted once."""

    def __init__(self, failure: Failure, known: Sequence[KnownFailure]) -> None:
        self._new = failure
        self._rarity = _rarity(other.failure.words for other in known)
        self._tokens = _rarity(_TOKEN.findall(other.failure.template.lower()) for other in known)
        self._calls = _rarity(other.failure.names for other in known)
        lengths = [sum(other.failure.words.values()) for other in known]
        self._usual_length = sum(lengths) / len(lengths) if lengths else 1.0

    def match(self, other: KnownFailure) -> Match:
        """How alike, and the reasons that count, the weightiest first."""
        shared_words, words = self._words(other.failure)
        if not self._new.exception:
            return Match(other.bug, round(words, 3), _reasons([(words, f"words in common: {shared_words}")]))
        old = other.failure
        message = self._message(old)
        shared_calls, calls = self._names(old)
        parts = [
            (
                _CAUSE * self._cause(old),
                f"same cause: {old.cause}" if old.cause == self._new.cause else f"same kind: {old.kind}",
            ),
            (_MESSAGE * message, f"message alike ({message:.0%}): {_short(old.template)}"),
            (_EXCEPTION * (old.exception == self._new.exception), f"same exception: {old.exception}"),
            (_NAMES * calls, f"both went through {shared_calls}"),
            (_WORDS * words, f"words in common: {shared_words}"),
        ]
        return Match(other.bug, round(sum(weight for weight, _ in parts), 3), _reasons(parts))

    def _cause(self, old: Failure) -> float:
        if self._new.cause and self._new.cause == old.cause:
            return 1.0
        return _SAME_KIND if self._new.kind and self._new.kind == old.kind else 0.0

    def _message(self, old: Failure) -> float:
        """Cosine of the messages' words, weighed by their rarity; the same template is a full match."""
        if self._new.template and self._new.template == old.template:
            return 1.0
        first, second = (set(_TOKEN.findall(text.lower())) for text in (self._new.template, old.template))
        return _cosine(first, second, self._tokens)

    def _names(self, old: Failure) -> tuple[str, float]:
        first, second = set(self._new.names), set(old.names)
        rarest = sorted(first & second, key=lambda name: -self._calls.of(name))
        return ", ".join(rarest[:4]), _cosine(first, second, self._calls)

    def _words(self, old: Failure) -> tuple[str, float]:
        """BM25, as a share of what a report with all the words would get."""
        length = sum(old.words.values()) / self._usual_length if self._usual_length else 1.0
        shared, total, most = {}, 0.0, 0.0
        for word in self._new.words:
            rarity = self._rarity.of(word)
            if not self._rarity.knows(word):
                continue
            most += rarity
            count = old.words.get(word, 0)
            if count:
                frequency = count * (_SATURATION + 1) / (count + _SATURATION * (1 - _LENGTH + _LENGTH * length))
                shared[word] = rarity * min(frequency, 1.0)
                total += shared[word]
        rarest = sorted(shared, key=lambda word: -shared[word])
        return ", ".join(rarest[:6]), min(total / max(most, _ENOUGH_INFORMATION), 1.0)


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
