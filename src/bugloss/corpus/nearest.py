"""Which known failures a new one is like, and why.

Five things are compared, each from 0 to 1: what crash triage calls the failure, the words of the message (rare ones
weigh more), the class of the exception, the functions on the way, and the words of the report around it (BM25). A
failure without an exception is compared by its words alone. What scores below ``NEAR`` is not called near.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from bugloss.core.failure.message import distinctive_words
from bugloss.core.term_weights import cosine, rarity, saturation
from bugloss.corpus.failure_profile import FailureProfile, KnownFailure

NEAR = 0.45
NEAR_BY_WORDS = 0.4

_CAUSE, _MESSAGE, _EXCEPTION, _NAMES, _WORDS = 0.35, 0.28, 0.1, 0.07, 0.2
_SAME_KIND = 0.35  # of another cause, but of the same kind
_ENOUGH_INFORMATION = 12.0  # so many nats of shared words are a full match, however few words were given
_MOST_OF_ONE_WORD = 0.3  # of a full match: one shared word alone makes no two reports similar
_SATURATION, _LENGTH = 1.2, 0.5


@dataclass(frozen=True, slots=True)
class SimilarFailure:
    """A bug with a similar failure: how much, from 0 to 1, and in what."""

    bug: str
    score: float
    why: tuple[str, ...]


def nearest(failure: FailureProfile, known: Sequence[KnownFailure], limit: int = 5) -> list[SimilarFailure]:
    """The bugs that failed most like this, the nearest first; empty where none is near."""
    comparison = _Comparison(failure, known)
    least = NEAR if failure.exception else NEAR_BY_WORDS
    similarities = (comparison.compare(other) for other in known)
    near = [similarity for similarity in similarities if similarity.score >= least]
    nearest_first = sorted(near, key=lambda similarity: (-similarity.score, similarity.other.bug))
    return [comparison.explain(similarity) for similarity in nearest_first[:limit]]


class _Similarity(NamedTuple):
    """How similar a known failure is, in all and part by part; a tuple, because every known bug gets one."""

    other: KnownFailure
    score: float
    cause: float = 0.0
    message: float = 0.0
    exception: float = 0.0
    names: float = 0.0
    words: float = 0.0


class _Comparison:
    """One failure against all known ones: what does not depend on the other one is worked out once."""

    def __init__(self, failure: FailureProfile, known: Sequence[KnownFailure]) -> None:
        self._new = failure
        spread = _Rarity([other.failure.words for other in known])
        self._words = spread.of(*filter(spread.knows, failure.words))
        self._most = max(sum(self._words.values()), _ENOUGH_INFORMATION)
        self._message_words = set(distinctive_words(failure.template))
        self._tokens = _Rarity([distinctive_words(other.failure.template) for other in known])
        self._names = set(failure.names)
        self._calls = _Rarity([other.failure.names for other in known])
        lengths = [sum(other.failure.words.values()) for other in known]
        self._usual_length = fmean(lengths) if lengths else 1.0

    def compare(self, other: KnownFailure) -> _Similarity:
        """How similar the failures are."""
        words = min(sum(self._shared_words(other.failure).values()) / self._most, 1.0)
        if not self._new.exception:
            return _Similarity(other, round(words, 3), words=words)
        old = other.failure
        parts = (
            _CAUSE * self._cause(old),
            _MESSAGE * self._message(old),
            _EXCEPTION * (old.exception == self._new.exception),
            _NAMES * cosine(self._calls.of(*self._names), self._calls.of(*old.names)),
            _WORDS * words,
        )
        return _Similarity(other, round(sum(parts), 3), *parts)

    def explain(self, similarity: _Similarity) -> SimilarFailure:
        """The similarity with the reasons that count, the weightiest first."""
        old = similarity.other.failure
        shared = self._shared_words(old)
        rarest_words = ", ".join(sorted(shared, key=lambda word: -shared[word])[:6])
        calls = self._calls.of(*self._names & set(old.names))
        rarest_calls = sorted(calls, key=lambda name: (-calls[name], name))[:4]
        same_cause = old.cause == self._new.cause
        parts = [
            (similarity.cause, f"same cause: {old.cause}" if same_cause else f"same kind: {old.kind}"),
            (similarity.message, f"similar message ({similarity.message / _MESSAGE:.0%}): {_short(old.template)}"),
            (similarity.exception, f"same exception: {old.exception}"),
            (similarity.names, f"both went through {', '.join(rarest_calls)}"),
            (similarity.words, f"shared words: {rarest_words}"),
        ]
        return SimilarFailure(similarity.other.bug, similarity.score, _reasons(parts))

    def _cause(self, old: FailureProfile) -> float:
        if self._new.cause and self._new.cause == old.cause:
            return 1.0
        return _SAME_KIND if self._new.kind and self._new.kind == old.kind else 0.0

    def _message(self, old: FailureProfile) -> float:
        """Cosine of the messages' words, weighed by their rarity; the same template is a full match."""
        if self._new.template and self._new.template == old.template:
            return 1.0
        words = distinctive_words(old.template)
        return cosine(self._tokens.of(*self._message_words), self._tokens.of(*words))

    def _shared_words(self, old: FailureProfile) -> dict[str, float]:
        """What each word that both have adds to BM25; a report with all the words would get ``_most``."""
        floor = saturation(sum(old.words.values()), self._usual_length, _SATURATION, _LENGTH)
        shared = {}
        for word, rare in self._words.items():
            if count := old.words.get(word, 0):
                informative = rare * min(count * (_SATURATION + 1) / (count + floor), 1.0)
                shared[word] = min(informative, _MOST_OF_ONE_WORD * self._most)
        return shared


class _Rarity:
    """How informative a word is: the fewer documents have it, the more."""

    def __init__(self, documents: Sequence[Iterable[str]]) -> None:
        self._having = Counter(word for document in documents for word in set(document))
        self._documents = len(documents)

    def of(self, *words: str) -> dict[str, float]:
        """How informative each word is."""
        return {word: rarity(self._documents, self._having[word]) for word in words}

    def knows(self, word: str) -> bool:
        return word in self._having


def _reasons(parts: Sequence[tuple[float, str]]) -> tuple[str, ...]:
    return tuple(text for weight, text in sorted(parts, key=lambda part: -part[0]) if weight > 0.02)


def _short(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:99]}…"
