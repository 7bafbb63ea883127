"""What would count as reproduced, worked out before anything runs.

An exception with class and message, a symptom such as a loss that is NaN, or a value that is printed: whatever the
report tells, with the words that tell it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from bugloss.core.failure.frames import is_users, raising_library_function
from bugloss.core.failure.message import similarity, template
from bugloss.core.report import BlockKind, FactKind, Reading
from bugloss.core.reproduction import Quote
from bugloss.core.run import RaisedException
from bugloss.reproduce.data.hints import quoted_message
from bugloss.reproduce.expected.figures import Figures, read_figures
from bugloss.reproduce.expected.symptoms import SymptomKind, looks_like, mentions
from bugloss.reproduce.words import wording


class ExpectationKind(Enum):
    """What kind of thing would show the bug."""

    EXCEPTION = "exception"
    SYMPTOM = "symptom"
    VALUE = "value"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ExpectedException:
    """An exception as the report shows it; ``place`` is the reporter's own line that led to it."""

    kind: str
    message: str
    function: str = ""
    place: str = ""
    quote: Quote | None = None

    @property
    def template(self) -> str:
        return template(self.message)


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a run must show. Of several exceptions or symptoms the first is the one that the report is about."""

    kind: ExpectationKind
    exceptions: tuple[ExpectedException, ...] = ()
    symptoms: tuple[SymptomKind, ...] = ()
    primary: int = 1  # so many symptoms are named with about the same weight
    figures: Figures = field(default_factory=Figures)
    value: str = ""
    instead_of: str = ""
    quotes: tuple[Quote, ...] = ()

    @property
    def exception(self) -> ExpectedException | None:
        return self.exceptions[0] if self.exceptions else None

    def speaks_of(self, word: str) -> bool:
        """Whether the expected message has a word in it: what the report is about is not edited away."""
        return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", one.message) for one in self.exceptions)

    def is_about(self, *kinds: str) -> bool:
        """Whether the expected exception is of one of these classes."""
        return any(one.kind in kinds for one in self.exceptions)


def expect(reading: Reading, exceptions: Sequence[RaisedException]) -> Expectation:
    """What the report says that goes wrong. ``exceptions`` are those of its tracebacks, in order."""
    found = _ranked(reading, [*_of_tracebacks(exceptions), *_of_facts(reading)]) or list(_without_class(reading))
    figures = read_figures("\n".join(block.text for block in reading.of_kind(BlockKind.LOG, BlockKind.CODE)))
    figures = _with_plateau(reading, figures)
    if found:
        quotes = tuple(one.quote for one in found if one.quote is not None)
        return Expectation(ExpectationKind.EXCEPTION, tuple(found), figures=figures, quotes=quotes)
    symptoms, primary, quotes = _symptoms(reading, figures)
    if symptoms:
        return Expectation(ExpectationKind.SYMPTOM, symptoms=symptoms, primary=primary, figures=figures, quotes=quotes)
    return _value(reading, figures)


def _with_plateau(reading: Reading, figures: Figures) -> Figures:
    """The figures with the loss at which prose says that training stops to get better."""
    found = wording("plateau").search(f"{reading.report.title}\n{reading.report.body}")
    return Figures({**figures.series, "plateau": (float(found["value"]),)}) if found else figures


def _of_tracebacks(exceptions: Sequence[RaisedException]) -> Iterator[ExpectedException]:
    for one in exceptions:
        if one.kind and not one.kind.endswith("Warning"):
            own = [frame.text for frame in one.frames if is_users(frame) and frame.text]
            yield ExpectedException(one.kind, one.message, raising_library_function(one), own[-1] if own else "")


def _of_facts(reading: Reading) -> Iterator[ExpectedException]:
    for fact in reading.about(FactKind.EXCEPTION):
        kind, _, message = fact.value.partition(":")
        if reading.report.body[fact.start - 1 : fact.start] == "`":
            message = message.partition("`")[0]  # what is set in marks ends with them
        if not kind.strip().endswith("Warning"):
            quote = Quote(fact.value, fact.start, fact.end)
            yield ExpectedException(
                kind.strip().rsplit(".", 1)[-1],
                re.sub(r"(?<![`'\"*])[`'\"*]++[.,;]?$", "", message.strip()),
                quote=quote,
            )


def _without_class(reading: Reading) -> Iterator[ExpectedException]:
    """A message that the frameworks are known for, quoted without the class of the error: in the title or in words."""
    title = quoted_message(reading.report.title)
    if title is not None:
        yield ExpectedException("", reading.report.title[slice(*title)].strip())
        return
    for block in reading.of_kind(BlockKind.PROSE, BlockKind.LOG):
        place = quoted_message(reading.report.body[block.start : block.end])
        if place is not None:
            start, end = block.start + place[0], block.start + place[1]
            text = reading.report.body[start:end]
            yield ExpectedException("", text.strip(" \t`'\"*"), quote=Quote(text, start, end))
            return


def _ranked(reading: Reading, found: list[ExpectedException]) -> list[ExpectedException]:
    """Each exception once, that of the title first; then those with a traceback, in the order of the report."""
    shown = [one for one in found if one.function or one.place]
    distinct: list[ExpectedException] = []
    for one in found:
        quoted = one not in shown and any(_is_quoted(one, other) for other in shown)
        if not quoted and not any(_same(one, other) for other in distinct):
            distinct.append(one)
    title = reading.report.title
    return sorted(
        distinct, key=lambda one: (-_named_by(title, one), not one.function and not one.place, not one.message)
    )


def _is_quoted(one: ExpectedException, shown: ExpectedException) -> bool:
    """Whether an exception is one that a traceback shows, only quoted loosely or cut off."""
    if one.kind != shown.kind:
        return False
    return (
        not one.message or shown.template.startswith(one.template[:60]) or similarity(one.message, shown.message) > 0.6
    )


def _same(one: ExpectedException, other: ExpectedException) -> bool:
    if one.kind != other.kind:
        return False
    return not one.message or one.template == other.template or similarity(one.message, other.message) > 0.9


def _named_by(title: str, one: ExpectedException) -> float:
    score = similarity(title, one.message) if one.message else 0.0
    return round(score, 1) if score > 0.6 or one.kind in title else 0.0


def _symptoms(reading: Reading, figures: Figures) -> tuple[tuple[SymptomKind, ...], int, tuple[Quote, ...]]:
    """The symptoms that words and printed figures suggest, the most likely first."""
    score: dict[SymptomKind, float] = defaultdict(float)
    quotes: dict[SymptomKind, list[Quote]] = defaultdict(list)
    for mention in mentions(reading.report.title):
        score[mention.kind] += 2
    body = reading.report.body
    prose = [(block.start, block.end) for block in reading.of_kind(BlockKind.PROSE)]
    for mention in mentions(body):
        if any(start <= mention.start < end for start, end in prose):
            score[mention.kind] += 1 if len(quotes[mention.kind]) < 3 else 0
            quotes[mention.kind].append(Quote(body[mention.start : mention.end], mention.start, mention.end))
    for kind in SymptomKind:
        shown = looks_like(kind, figures, figures).shown
        if shown:
            score[kind] += 1.5 if score[kind] else 0.75 if kind is not SymptomKind.FLAT else 0.0
        elif shown is False:
            score[kind] *= 0.5
    kinds = sorted((kind for kind in score if score[kind] >= 0.75), key=lambda kind: (kind.is_cost, -score[kind]))
    primary = sum(score[kind] >= 0.6 * score[kinds[0]] for kind in kinds) if kinds else 0
    return tuple(kinds), primary, tuple(quote for kind in kinds for quote in quotes[kind][:2])


_PRINTS = re.compile(r"""print\s*\(?\s*f?(?P<mark>["'])(?P<words>[^"'%{\n]{4,60}?)\s*(?:[%{][^"'\n]*)?(?P=mark)""")


def _printed(reading: Reading) -> Quote | None:
    """A line of a log that a line of the code prints, with whole numbers in it: those can be expected to come again."""
    code = "\n".join(block.text for block in reading.of_kind(BlockKind.CODE))
    words = [found["words"].strip() for found in _PRINTS.finditer(code)]
    for block in reading.of_kind(BlockKind.LOG):
        for line in block.text.split("\n"):
            plain = line.strip()
            stated = next((one for one in words if plain.startswith(one)), None)
            if stated is not None and re.fullmatch(r"[^.]*\d[^.]*", plain[len(stated) :]):
                start = reading.report.body.find(plain, block.start)
                return Quote(plain, start, start + len(plain)) if start >= 0 else None
    return None


def _value(reading: Reading, figures: Figures) -> Expectation:
    line = _printed(reading)
    if line is not None:
        return Expectation(ExpectationKind.VALUE, figures=figures, value=line.text, quotes=(line,))
    actual = next(iter(reading.about(FactKind.ACTUAL)), None)
    expected = next(iter(reading.about(FactKind.EXPECTED)), None)
    if actual is None:
        return Expectation(ExpectationKind.UNKNOWN, figures=figures)
    quotes = tuple(Quote(fact.value, fact.start, fact.end) for fact in (expected, actual) if fact is not None)
    wanted = expected.value if expected is not None else ""
    return Expectation(ExpectationKind.VALUE, figures=figures, value=actual.value, instead_of=wanted, quotes=quotes)
