"""A body split into blocks: prose, code, logs, tracebacks, environments.

First come the stretches that the author set apart: fences, ``<pre>``, indentation. Then every line is looked at on its
own, inside such a stretch and outside: many reports paste code with no fence at all, or code and its output in one.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from html import unescape
from itertools import groupby
from typing import NamedTuple

from bugloss.core.failure.exception_line import begins_with_exception
from bugloss.core.failure.traceback_text import is_frame, is_heading
from bugloss.core.report import Block, BlockKind
from bugloss.intake.line_kinds import PROMPT, kind_of, language_of

_FENCE = re.compile(r"^[ \t]{0,6}(?P<marks>`{3,}|~{3,})[ \t]*(?P<language>[\w+#.-]{0,30})")
_PRE_START = re.compile(r"<(?:pre|denchmark-code)\b[^>]{0,200}>", re.IGNORECASE)
_PRE = "pre"
_PRE_END = re.compile(r"</(?:pre|denchmark-code)>", re.IGNORECASE)
_TAGS = re.compile(r"</?(?:pre|code|denchmark-code)\b[^>]{0,200}>", re.IGNORECASE)
_INDENTED = re.compile(r"^(?: {4}|\t)")
_MORE = re.compile(r"^(?: {2}|\t)\s*\S")
_MOST_SOURCE = 4  # lines of source between two frames of a traceback
_LIST_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s")
_STRIPPED_PROMPT = re.compile(r"^\s*(?:>>>|\.\.\.|In \[\d*\]:)[ \t]?")


class _Line(NamedTuple):
    """A line and what markup says of it; a tuple, because a log can have a hundred thousand."""

    text: str
    start: int
    verbatim: bool = False
    fence: bool = False  # a line that only opens or closes
    language: str = ""
    html: bool = False  # stands in <pre>, where < is written &lt;

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def split_blocks(body: str) -> tuple[Block, ...]:
    """The blocks of a body in order; blank lines between them belong to none."""
    lines = list(_marked(_lines(body)))
    kinds = _kinds(lines)
    return tuple(_blocks(list(zip(lines, kinds, strict=True))))


def _lines(body: str) -> Iterator[_Line]:
    start = 0
    for text in body.split("\n"):
        yield _Line(text, start)
        start += len(text) + 1


def _marked(lines: Iterable[_Line]) -> Iterator[_Line]:
    """The lines with what the author's markup says of them."""
    closing: str | None = None
    language, blank, indented = "", True, False
    for line in lines:
        if closing is not None:
            html = closing == _PRE
            ends = bool(_PRE_END.search(line.text) if html else _closes(line.text, closing))
            yield _Line(line.text, line.start, True, ends and not _content(line.text), language, html)
            closing = None if ends else closing
            blank, indented = ends, False
        elif not line.text:
            blank = True
            yield line
        elif fence := _FENCE.match(line.text):
            closing, language = fence["marks"], fence["language"].lower()
            yield _Line(line.text, line.start, verbatim=True, fence=True)
        elif opened := _PRE_START.search(line.text):
            closing, language = (None if _PRE_END.search(line.text, opened.end()) else _PRE), ""
            yield _Line(line.text, line.start, verbatim=True, fence=not _content(line.text), html=True)
        else:
            indented = bool(_INDENTED.match(line.text)) and (blank or indented) and not _LIST_ITEM.match(line.text)
            blank = not line.text.strip()
            yield _Line(line.text, line.start, verbatim=indented) if indented else line


def _closes(text: str, marks: str) -> bool:
    stripped = text.strip()
    return len(stripped) >= len(marks) and not stripped.strip(marks[0])


def _content(text: str) -> str:
    return _TAGS.sub("", text).strip() if "<" in text else text.strip("`~ \t")


def _kinds(lines: list[_Line]) -> list[BlockKind | None]:
    """The kind of each line: a line without a clue goes with those around it."""
    found = [None if line.fence else kind_of(_plain(line), verbatim=line.verbatim) for line in lines]
    _extend_tracebacks(lines, found)
    kinds: list[BlockKind | None] = []
    for line, kind in zip(lines, found, strict=True):
        if not line.text.strip() or line.fence:
            kinds.append(None)
        elif kind is not None or not line.verbatim:
            kinds.append(kind or BlockKind.PROSE)
        else:
            kinds.append(_inherited(lines, found, kinds))
    return kinds


def _inherited(lines: list[_Line], found: list[BlockKind | None], kinds: list[BlockKind | None]) -> BlockKind:
    """What a verbatim line without a clue is: as the one before in its stretch, else as the next one with a clue."""
    at = len(kinds)
    before = at - 1
    while before >= 0 and kinds[before] is None and lines[before].verbatim and not lines[before].fence:
        before -= 1
    if before >= 0 and lines[before].verbatim and not lines[before].fence and kinds[before] is not None:
        return kinds[before] or BlockKind.LOG
    for after in range(at + 1, min(at + 40, len(lines))):
        if not lines[after].verbatim or lines[after].fence:
            break
        if (kind := found[after]) is not None:
            return kind
    return BlockKind.LOG


def _extend_tracebacks(lines: list[_Line], found: list[BlockKind | None]) -> None:
    """From the heading of a traceback to its exception all is traceback, source lines and all."""
    inside = False
    for at, line in enumerate(lines):
        if line.fence or (not line.text.strip() and not line.verbatim):
            inside = inside and not line.fence
            continue
        if is_heading(line.text[:200]):
            inside = True
        if inside:
            found[at] = BlockKind.TRACEBACK
            inside = not begins_with_exception(line.text[:400])
    _join_frames(lines, found)
    _continue_messages(lines, found)


def _join_frames(lines: list[_Line], found: list[BlockKind | None]) -> None:
    """A traceback without its heading: what stands between a frame and the next frame or the error is source."""
    for at, line in enumerate(lines):
        if not is_frame(line.text[:400]):
            continue
        for after in range(at + 1, min(at + 1 + _MOST_SOURCE, len(lines))):
            text = lines[after].text[:400]
            if lines[after].fence or not text.strip():
                break
            if is_frame(text) or begins_with_exception(text):
                found[at:after] = [BlockKind.TRACEBACK] * (after - at)
                break


def _continue_messages(lines: list[_Line], found: list[BlockKind | None]) -> None:
    """The further lines of a message: up to the next blank line, prompt or end of the stretch; amid prose, indented."""
    for at in range(1, len(lines)):
        line, before = lines[at], lines[at - 1]
        follows = found[at - 1] is BlockKind.TRACEBACK and line.verbatim and before.verbatim and not line.fence
        indented = found[at - 1] is BlockKind.TRACEBACK and _MORE.match(line.text[:80]) and not line.fence
        if indented and not line.verbatim and not before.verbatim and not PROMPT.match(line.text[:80]):
            found[at] = BlockKind.TRACEBACK
        if follows and line.text.strip() and found[at] in {None, BlockKind.LOG} and not PROMPT.match(line.text[:80]):
            found[at] = BlockKind.TRACEBACK


def _plain(line: _Line) -> str:
    return unescape(_TAGS.sub("", line.text)) if line.html else line.text


def _blocks(pairs: list[tuple[_Line, BlockKind | None]]) -> Iterator[Block]:
    for _, stretch in groupby(_numbered(pairs), key=lambda item: item[0]):
        members = [(line, kind) for _, line, kind in stretch]
        filled = [line for line, kind in members if kind is not None]
        kind = next((kind for _, kind in members if kind is not None), None)
        if kind is not None:
            yield _block(kind, [line for line, _ in members], filled)


def _numbered(pairs: list[tuple[_Line, BlockKind | None]]) -> Iterator[tuple[int, _Line, BlockKind | None]]:
    """Each line with the number of its block. Blank lines stay with a block that goes on after them."""
    number, kind, verbatim = 0, None, False
    for at, (line, own) in enumerate(pairs):
        if line.fence or (own is not None and (own is not kind or line.verbatim is not verbatim)):
            number, kind = number + 1, own
            verbatim = line.verbatim
        elif (own is None and not line.verbatim and kind is not BlockKind.CODE) or (
            own is None and not _goes_on(pairs, at, kind)
        ):
            number, kind = number + 1, None
        yield number, line, own


def _goes_on(pairs: list[tuple[_Line, BlockKind | None]], at: int, kind: BlockKind | None) -> bool:
    for line, own in pairs[at + 1 : at + 6]:
        if line.fence:
            return False
        if own is not None:
            return own is kind
    return False


def _block(kind: BlockKind, members: list[_Line], filled: list[_Line]) -> Block:
    texts = [_plain(line) for line in members[: members.index(filled[-1]) + 1]]
    content = texts[texts.index(_plain(filled[0])) :]
    prompted = any(text.lstrip().startswith((">>>", "In [")) for text in content)
    if kind is not BlockKind.PROSE:
        if prompted:  # three dots alone may be an omission
            content = [_STRIPPED_PROMPT.sub("", text) for text in content]
        content = textwrap.dedent("\n".join(content)).split("\n")
    guess = ("python" if prompted else language_of(content)) if kind is BlockKind.CODE else ""
    language = filled[0].language or guess
    return Block(kind, "\n".join(content).strip("\n"), filled[0].start, filled[-1].end, language)
