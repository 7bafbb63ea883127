"""From features back to words: which stretches of a report decided an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bugloss.core.report import Report
from bugloss.core.triage import ReportWords
from bugloss.triage.classifier import Contribution
from bugloss.triage.code_clues import PHRASES
from bugloss.triage.features import LONGEST, WORD
from bugloss.triage.lexicon import families

_MOST = 6
_LOOKED_AT = 60  # features, the weightiest
_PLACES = 3  # of each feature
_LONGEST_QUOTE = 120
# Words that carry weight in the model but tell a reader nothing.
_SMALL_WORDS = frozenset(
    [
        "a",
        "about",
        "after",
        "all",
        "also",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "doing",
        "don",
        "for",
        "from",
        "get",
        "had",
        "has",
        "have",
        "he",
        "here",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "just",
        "like",
        "m",
        "me",
        "my",
        "no",
        "not",
        "of",
        "on",
        "one",
        "only",
        "or",
        "other",
        "our",
        "out",
        "s",
        "same",
        "should",
        "so",
        "some",
        "such",
        "t",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "up",
        "us",
        "use",
        "used",
        "using",
        "ve",
        "very",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
        "#",
        "x",
        "y",
        "import",
        "print",
        "def",
        "self",
        "return",
        "none",
        "true",
        "false",
        "new",
        "following",
    ]
)


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    weight: float
    title: bool


class _Words:
    """The words of a text with their places: features are found again by them."""

    def __init__(self, text: str, title: bool) -> None:
        self.text, self.title = text, title
        matches = list(WORD.finditer(text[:LONGEST]))
        self._words = ["#" if match[0][0].isdigit() else match[0].lower() for match in matches]
        self._spans = [match.span() for match in matches]
        self._places: dict[str, list[int]] = {}
        for place, word in enumerate(self._words):
            self._places.setdefault(word, []).append(place)

    def find(self, phrase: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Where the words stand one after the other."""
        for place in self._places.get(phrase[0], ()):
            if self._words[place : place + len(phrase)] == list(phrase):
                yield self._spans[place][0], self._spans[place + len(phrase) - 1][1]

    def beginning(self, start: str) -> Iterator[tuple[int, int]]:
        """Where a word begins so."""
        for word in [word for word in self._places if word.startswith(start)]:
            yield from self.find([word])


def find_evidence(report: Report, contributions: Iterable[Contribution]) -> tuple[ReportWords, ...]:
    """The stretches that count most for an answer, the weightiest first."""
    strongest = sorted((item for item in contributions if item.weight > 0), key=lambda item: -item.weight)[:_LOOKED_AT]
    title, body = _texts(report)
    spans = [span for item in strongest for span in _spans(item, title, body)]
    merged = _merged(report.body, [span for span in spans if not span.title])
    merged += _merged(report.title, [span for span in spans if span.title])
    return tuple(_evidence(report, span) for span in sorted(merged, key=lambda span: -span.weight)[:_MOST])


def _texts(report: Report) -> tuple[_Words, _Words]:
    """Title and body; the title of a body that opens with it is there."""
    if report.text is report.body:
        return _Words(report.body[: len(report.title) + 6], title=False), _Words(report.body, title=False)
    return _Words(report.title, title=True), _Words(report.body, title=False)


def _spans(item: Contribution, title: _Words, body: _Words) -> Iterator[_Span]:
    in_title = item.group == "title" or item.feature.startswith("title:")
    texts = [title] if in_title else [title, body] if title.title else [body]
    found = [(span, words.title) for words in texts for span in islice(_places(item, words), _PLACES)]
    for (start, end), of_title in found:
        yield _Span(start, end, item.weight / len(found), of_title)


def _places(item: Contribution, words: _Words) -> Iterator[tuple[int, int]]:
    """Where a feature occurs in a text; nowhere if it has no words of its own."""
    if item.group in {"words", "title"}:
        phrase = item.feature.split()
        if not all(word in _SMALL_WORDS for word in phrase):
            yield from words.find(phrase)
    elif item.group == "clues":
        kind, _, value = item.feature.partition(":")
        if value in PHRASES and kind in {"phrase", "title"}:
            yield from (match.span() for match in PHRASES[value].finditer(words.text[:LONGEST]) if match[0])
        elif value in families() and kind in {"about", "much", "title"}:
            yield from _family(value, words)
        elif kind in {"activation", "last-activation", "optimizer", "exception", "last-exception"}:
            yield from words.find([value.lower()])


def _family(name: str, words: _Words) -> Iterator[tuple[int, int]]:
    for entry in families()[name]:
        yield from words.beginning(entry[:-1]) if entry.endswith("*") else words.find(entry.split("+"))


def _merged(text: str, spans: list[_Span]) -> list[_Span]:
    """Overlapping spans and neighbours on one line as one: a reader wants phrases."""
    merged: list[_Span] = []
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        last = merged[-1] if merged else None
        if last and span.start <= last.end + 1 and "\n" not in text[last.start : span.end]:
            end = max(last.end, span.end)
            if end - last.start <= _LONGEST_QUOTE:
                merged[-1] = _Span(last.start, end, last.weight + span.weight, span.title)
                continue
        merged.append(span)
    return merged


def _evidence(report: Report, span: _Span) -> ReportWords:
    text = (report.title if span.title else report.body)[span.start : span.end]
    return ReportWords(text, span.start, span.end, "title" if span.title else "body", round(span.weight, 3))
