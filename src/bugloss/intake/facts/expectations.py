"""What should have happened and what did: error messages, sentences, and the sections of issue templates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bugloss.core.report import Block, Fact, FactKind

_LONGEST = 300
_PAIR = re.compile(
    r"\b(?:expected|expects?|requires|required|must be|should be|wants?)\b[ \t:]{0,3}(?P<expected>[^\n.;]{1,120}?)"
    r"[,;.]?[ \t]{1,3}(?:but[ \t]{1,3}(?:\w{1,12}[ \t]{1,3}){0,2}(?:got|gets?|found|received|is|was|given|has|had)"
    r"|got|found|received)\b[ \t:]{0,3}(?P<actual>[^\n;]{1,120})",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"\binstead of[ \t]{1,3}(?P<expected>(?:[^\n.;]|\.(?=\w)){1,120})", re.IGNORECASE)
_EXPECTATION = re.compile(
    r"\b(?:I|we)(?: would|'d)? (?:expect(?:ed|ing)?|want(?:ed)?|hope(?:d)?|was expecting|were expecting)\b[^\n.]{3,200}"
    r"|\b(?:it|this|which|that|they|accuracy|loss|output|result|shape) (?:should|ought to)\b[^\n.]{3,200}",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"^[#* \t_>]{0,8}(?:describe the )?(?P<which>expected|desired|actual|current|observed|unexpected)"
    r"(?: (?:behaviou?r|result|results|output|outcome))?[*_: \t]{0,6}(?P<rest>[^\n]{0,300})$",
    re.IGNORECASE | re.MULTILINE,
)


def find_expectations(body: str, blocks: Sequence[Block]) -> Iterator[Fact]:
    """Expected and actual, each with its own words."""
    for match in _PAIR.finditer(body):
        yield Fact(FactKind.EXPECTED, _tidy(match["expected"]), match.start("expected"), match.end("expected"))
        yield Fact(FactKind.ACTUAL, _tidy(match["actual"]), match.start("actual"), match.end("actual"))
    for match in _INSTEAD.finditer(body):
        before = body[max(match.start() - 120, 0) : match.start()]
        start = match.start() - len(re.split(r"\n|[.;] ", before)[-1])
        yield Fact(FactKind.ACTUAL, _tidy(body[start : match.start()]), start, match.start())
        yield Fact(FactKind.EXPECTED, _tidy(match["expected"]), match.start("expected"), match.end("expected"))
    for match in _EXPECTATION.finditer(body):
        yield Fact(FactKind.EXPECTED, _tidy(match[0]), match.start(), match.end())
    yield from _sections(body)


def _sections(body: str) -> Iterator[Fact]:
    """The first paragraph below "Expected behavior" and similar names."""
    for match in _SECTION.finditer(body):
        expected = match["which"].lower() in {"expected", "desired"}
        start, end = match.span("rest")
        if not match["rest"].strip():
            start, end = _paragraph(body, match.end())
        if body[start:end].strip():
            yield Fact(FactKind.EXPECTED if expected else FactKind.ACTUAL, _tidy(body[start:end]), start, end)


def _paragraph(body: str, at: int) -> tuple[int, int]:
    while at < len(body) and body[at] in "\n \t":
        at += 1
    if body[at : at + 1] in {"#", "`"}:
        return at, at
    end = body.find("\n\n", at)
    return at, min(end if end >= 0 else len(body), at + _LONGEST)


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(" `*'\"")[:_LONGEST]
