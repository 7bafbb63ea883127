"""Text as lines without what terminals, notebooks and loggers add, each with its place in the original text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from bugloss.core.long_numbers import cut_long_numbers

# The second form is what notebooks leave of an escape sequence when they are copied as text; the third is a link.
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\[(?:\d{1,3}(?:;\d{1,3})*)m|\x1b\][^\x07\x1b\n]{0,2000}+(?:\x07|\x1b\\)")
# Notebooks put links into their tracebacks: the text of the link is what counts.
_LINK = re.compile(r"\[([^\[\]\n]{1,400})\]\((?:https?|file|vscode-notebook-cell):[^)\n]{0,2000}+\)")
_DIGIT = re.compile(r"\d")
_BREAK = re.compile(r"\r\n?|\n")
_WRITTEN_BREAK = re.compile(r"call last\):\\n")  # a traceback as one string of JSON or of repr


class TextLine(NamedTuple):
    """A line without colours and links, and where it stands."""

    text: str
    start: int
    end: int


def plain_text(text: str) -> str:
    """A text without terminal colours."""
    return _COLOUR.sub("", text)


def text_lines(text: str) -> list[TextLine]:
    """The lines of a text."""
    plain = _LINK.sub(r"\1", plain_text(cut_long_numbers(text)))  # none of them touches the end of a line
    places = _places(text)
    return [line for part, place in zip(_BREAK.split(plain), places, strict=True) for line in _unescaped(part, *place)]


def _places(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _BREAK.finditer(text):
        yield start, found.start()
        start = found.end()
    yield start, len(text)


def _unescaped(part: str, start: int, end: int) -> Iterator[TextLine]:
    if not _WRITTEN_BREAK.search(part):
        yield TextLine(part, start, end)
        return
    for inner in part.split("\\n"):
        yield TextLine(inner.replace('\\"', '"').replace("\\'", "'"), start, end)


def without_prefix(block: Sequence[TextLine], prefix: str) -> Iterator[TextLine]:
    """The lines without what a logger or a quotation put before each; such a block ends where the prefix does.

    ``prefix`` precedes the first line; what the next line repeats of it precedes all lines.
    """
    following = next((line.text for line in block[1:] if line.text.strip()), "")
    shared = _shared(_outline(prefix), _outline(following[: len(prefix)]))
    repeated = prefix[:shared]
    outline = _outline(repeated if repeated.isspace() else repeated.rstrip())  # an empty line of a quotation is ">"
    for at, line in enumerate(block):
        if at and line.text.strip() and not _outline(line.text).startswith(outline):
            return
        yield line._replace(text=line.text[shared:])


def _shared(first: str, second: str) -> int:
    """How many characters two texts have in common at their start."""
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    return sum(1 for _ in shared)


def _outline(text: str) -> str:
    return _DIGIT.sub("0", text)
