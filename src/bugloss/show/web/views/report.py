"""A report with the facts that it states marked: prose as paragraphs, code and logs as they were written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bugloss.core.report import Block, BlockKind, Fact, FactKind, Reading

_INLINE_CODE = re.compile(r"`([^`\n]+)`")
_HEADING = re.compile(r"^#{1,6}\s+")
_ITEM = re.compile(r"\s{0,40}+(?:[-*+]|\d{1,9}+[.)])\s{1,40}")
_PARAGRAPH = re.compile(r"[^\n](?:.*(?:\n(?![ \t\r]{0,40}+(?:\n|[-*+] |\d{1,9}+[.)] |#)))?)*")
_FENCE = re.compile(r"^\s*(?:```|~~~)[^\n]*\n?", re.MULTILINE)
_SHOWN = frozenset(FactKind) - {FactKind.EXPECTED, FactKind.ACTUAL}
_LONGEST = 30_000  # characters of a report that are shown


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words: whether they are code, and the fact that they state."""

    text: str
    code: bool = False
    fact: str = ""  # such as "shape (64, 10)"
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A heading, a paragraph or a block of code."""

    kind: str  # heading, prose, item of a list, or a kind of block
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report as it is shown, and its facts by kind."""

    title: str
    tags: tuple[str, ...]
    passages: tuple[Passage, ...]
    facts: tuple[tuple[str, tuple[str, ...]], ...]


def view_report(reading: Reading) -> ReportView:
    """The report with its facts."""
    facts = _apart([fact for fact in reading.facts if fact.kind in _SHOWN])
    body = reading.report.body[:_LONGEST]
    passages = [part for block in reading.blocks if block.start < _LONGEST for part in _passages(block, body, facts)]
    by_kind: dict[str, dict[str, None]] = {}
    for fact in facts:
        by_kind.setdefault(fact.kind.value, {}).setdefault(_words(fact))
    return ReportView(
        reading.report.title,
        reading.report.tags,
        tuple(_without_title(passages, reading.report.title)),
        tuple((kind, tuple(words)) for kind, words in by_kind.items()),
    )


def _words(fact: Fact) -> str:
    return f"{fact.name} {fact.value}" if fact.name and fact.name not in fact.value else fact.value


def _apart(facts: Sequence[Fact]) -> list[Fact]:
    """Facts that do not overlap, the longer first where some do."""
    chosen: list[Fact] = []
    for fact in sorted(facts, key=lambda one: (one.start, -one.end)):
        if fact.end > fact.start and (not chosen or fact.start >= chosen[-1].end):
            chosen.append(fact)
    return chosen


def _without_title(passages: Sequence[Passage], title: str) -> Iterator[Passage]:
    """The page has the title already; tags are shown apart."""
    for passage in passages:
        text = "".join(piece.text for piece in passage.pieces).strip()
        if text and text != title and not text.startswith("Tags:"):
            yield passage


def _passages(block: Block, body: str, facts: Sequence[Fact]) -> Iterator[Passage]:
    if block.kind is not BlockKind.PROSE:
        start, end = _inside_fences(body, block.start, block.end)
        yield Passage(block.kind.value, tuple(_pieces(body, start, end, facts, prose=False)))
        return
    for match in _PARAGRAPH.finditer(body, block.start, min(block.end, len(body))):
        for kind, marker in (("heading", _HEADING), ("item", _ITEM), ("prose", None)):
            found = marker.match(body, *match.span()) if marker else None
            if found or marker is None:
                first = found.end() if found else match.start()
                yield Passage(kind, tuple(_pieces(body, first, match.end(), facts, prose=True)))
                break


def _inside_fences(body: str, start: int, end: int) -> tuple[int, int]:
    text = body[start:end]
    opening = _FENCE.match(text)
    if opening is None:
        return start, end
    inner = text[opening.end() :].rstrip()
    if inner.endswith(("```", "~~~")):
        inner = inner[:-3].rstrip("`~")
    return start + opening.end(), start + opening.end() + len(inner.rstrip())


def _pieces(body: str, start: int, end: int, facts: Sequence[Fact], *, prose: bool) -> Iterator[Piece]:
    """The text cut where a fact or a piece of code begins or ends."""
    codes = [match.span(1) for match in _INLINE_CODE.finditer(body, start, end)] if prose else []
    here = [fact for fact in facts if fact.start < end and fact.end > start]
    cuts = {start, end}
    cuts |= {place for span in codes for place in (span[0] - 1, *span, span[1] + 1)}
    cuts |= {place for fact in here for place in (fact.start, fact.end)}
    places = sorted(place for place in cuts if start <= place <= end)
    ticks = {place for first, last in codes for place in (first - 1, last)}
    for left, right in pairwise(places):
        if left in ticks and right - left == 1:
            continue
        fact = next((one for one in here if one.start <= left < one.end), None)
        code = any(first <= left < last for first, last in codes)
        yield Piece(body[left:right], code, _label(fact), fact.kind.value if fact else "")


def _label(fact: Fact | None) -> str:
    return f"{fact.kind.value}: {_words(fact)}" if fact else ""
