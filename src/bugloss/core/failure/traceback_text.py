"""Tracebacks in any text: pasted from a terminal, a notebook or a log, whole or torn, coloured or quoted.

A text may hold several failures, one raised while another was handled; the last one is what ended the program.
Lines before it are looked through for what a graphics card printed about a failed assertion, which the exception itself
does not say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from bugloss.core.failure.exception_line import NamedException, begins_with_exception, below_frames, ends_with_exception
from bugloss.core.failure.failure import Failure
from bugloss.core.failure.lines import TextLine, text_lines, without_prefix
from bugloss.core.failure.message_lines import LONGEST, lines_of_message
from bugloss.core.failure.notebook_traceback import notebook_frame, notebook_frames, notebook_heading
from bugloss.core.raised import Frame, RaisedException

_HEADING = re.compile(r"^(?P<prefix>.*?)(?<!Original )Traceback \(most recent call last\)")
_GROUP = re.compile(r"^(?P<indentation>\s*)\+ Exception Group $")
_GROUP_MEMBER = re.compile(r"^\s*\+-[+-]*-* \d+ -+$")
_GUTTER = re.compile(r"^\s*\| ")
# Text in angle brackets is lost where a page takes it for a tag; a page without line breaks joins two lines.
_FRAME = re.compile(
    r"^[\s>|]*File \"(?P<path>[^\"]*)\", line (?P<line>\d+)(?:, in ?(?P<function>\S*)(?P<text>.*))?\s*$"
)
_LOGGED_FRAME = re.compile(r"^(?P<prefix>[^\"\n]{1,200}?)(?:  )?File \"[^\"\n]+\", line \d+, in \S+\s*$")
_MARKS = re.compile(r"^[\s~^]+$|^\s*[│└]")
_ASSERTION = re.compile(r"Assertion `.*failed\.?")
# Source between the frames of a torn traceback: so many indented lines, or lines with their numbers.
_SOURCE = re.compile(r"^[\s>|]+\S")
_NOTEBOOK_SOURCE = re.compile(r"^\s*$|^[\s>-]*\d+\b|^\s*\.\.\.")
_MOST_SOURCE = 4

_Namer = Callable[[str], NamedException | None]


class _Found(NamedTuple):
    """An exception, and how many lines of its block are read: what follows them is looked through again."""

    exception: RaisedException
    lines: int


def last_failure(text: str) -> Failure | None:
    """What ended the program: the last failure that is named; None where the text shows none."""
    found = read_failures(text)
    return next((failure for failure in reversed(found) if failure.kind), found[-1] if found else None)


def read_failures(text: str) -> tuple[Failure, ...]:
    """Every failure of a text in its order; of a text without a traceback the last line that names an exception.

    All but the last named one are marked as superseded.
    """
    lines = text_lines(text)
    found = list(_with_frames(lines))
    if not any(failure.kind for failure in found):
        found = sorted([*found, *_bare(lines)], key=lambda failure: failure.start)
    last = max((at for at, failure in enumerate(found) if failure.kind), default=len(found) - 1)
    if found and "device-side assert" in found[last].exception.message:
        found[last] = _with_assertion(found[last], lines)
    return tuple(failure if at == last else replace(failure, superseded=True) for at, failure in enumerate(found))


def is_heading(line: str) -> bool:
    """Whether a traceback begins with a line."""
    return bool(_HEADING.match(line))


def is_frame(line: str) -> bool:
    """Whether a line is a frame as Python writes it."""
    return bool(_FRAME.match(line))


def _with_frames(lines: Sequence[TextLine]) -> Iterator[Failure]:
    """The failures below headings, and between them those whose heading was torn off."""
    openings = [at for at in range(len(lines)) if _opens(lines, at)]
    yield from _torn(lines[: openings[0] if openings else len(lines)])
    for start, end in zip(openings, [*openings[1:], len(lines)], strict=False):
        block = list(without_prefix(lines[start:end], _prefix(lines, start)))
        found = _read(block)
        if found is not None:
            yield _placed(found, block)
        yield from _torn(lines[start + (found.lines if found else 1) : end])


def _opens(lines: Sequence[TextLine], at: int) -> bool:
    if _GROUP_MEMBER.match(lines[at].text):  # a member that was never raised has no heading
        return at + 1 < len(lines) and not is_heading(lines[at + 1].text)
    return is_heading(lines[at].text)


def _prefix(lines: Sequence[TextLine], at: int) -> str:
    """What precedes each line of the traceback that begins here."""
    if notebook := notebook_heading(lines[at].text):
        return notebook[0]
    heading = _HEADING.match(lines[at].text)
    if heading is None:
        gutter = _GUTTER.match(lines[at + 1].text)
        return gutter[0] if gutter else ""
    group = _GROUP.match(heading["prefix"])
    return f"{group['indentation']}| " if group else heading["prefix"]


def _read(block: Sequence[TextLine]) -> _Found | None:
    texts = [line.text for line in block]
    if notebook := notebook_heading(texts[0]):
        at = _end_of_notebook(texts, notebook[1].rsplit(".", 1)[-1])
        return _exception(texts, at, below_frames, notebook_frames(texts[:at]))
    frames, at = _frames(texts)
    return _exception(texts, at, below_frames, frames)


def _frames(texts: Sequence[str]) -> tuple[tuple[Frame, ...], int]:
    """The frames of an ordinary traceback and the number of the line that follows them."""
    frames: list[Frame] = []
    at = 1
    while at < len(texts):
        match = _FRAME.match(texts[at])
        if match:
            frames.append(
                Frame(match["path"], int(match["line"]), match["function"] or "", (match["text"] or "").strip())
            )
        elif below_frames(texts[at]):
            break
        elif frames and texts[at].strip() and not frames[-1].text and not _MARKS.match(texts[at]):
            last = frames[-1]
            frames[-1] = Frame(last.path, last.line, last.function, texts[at].strip())
        at += 1
    return tuple(frames), at


def _end_of_notebook(texts: Sequence[str], kind: str) -> int:
    """The number of the line with the exception: the first that begins with the class that the heading names."""
    named = [(at, found) for at in range(1, len(texts)) if (found := begins_with_exception(texts[at]))]
    first = next((at for at, found in named if found.kind == kind and texts[at][:1].strip()), None)
    return first if first is not None else max((at for at, _ in named), default=len(texts))


def _exception(texts: Sequence[str], at: int, name: _Namer, frames: tuple[Frame, ...]) -> _Found | None:
    named = name(texts[at].strip()) if at < len(texts) else None
    if named is None:  # cut off below the frames: where it happened is known, what is not
        return _Found(RaisedException("", "", "", (), frames), min(at, len(texts))) if frames else None
    more = lines_of_message(named.message, texts[at + 1 :])
    message = "\n".join([named.message, *more]).strip()
    return _Found(RaisedException(named.kind, named.qualified, message, (), frames), at + 1 + len(more))


def _torn(lines: Sequence[TextLine]) -> Iterator[Failure]:
    """Failures whose heading is missing: frames, and the exception below them where it is not torn off too."""
    lines = list(_without_log_prefixes(lines))
    texts = [line.text for line in lines]
    at = 0
    while at < len(texts):
        is_notebooks = notebook_frame(texts[at]) is not None
        if not is_notebooks and not is_frame(texts[at]):
            at += 1
            continue
        end = _end_of_stack(texts, at, _NOTEBOOK_SOURCE if is_notebooks else _SOURCE)
        frames = notebook_frames(texts[at:end]) if is_notebooks else _frames(["", *texts[at:end]])[0]
        found = _exception(texts[at : end + 1 + LONGEST], end - at, begins_with_exception, frames)
        assert found is not None  # there is one frame at least
        yield _placed(found, lines[at : at + found.lines])
        at += max(found.lines, 1)


def _without_log_prefixes(lines: Sequence[TextLine]) -> Iterator[TextLine]:
    """The lines; those from a frame on that a logger wrote without what it put before them."""
    at = 0
    while at < len(lines):
        logged = _LOGGED_FRAME.match(lines[at].text) if 'File "' in lines[at].text else None
        if logged is None or not logged["prefix"].strip(" \t>|"):
            yield lines[at]
            at += 1
            continue
        for line in without_prefix(lines[at : at + LONGEST], logged["prefix"]):
            yield line
            at += 1


def _end_of_stack(texts: Sequence[str], start: int, source: re.Pattern[str]) -> int:
    """The number of the first line that belongs neither to a frame nor to its source."""
    after_frame = 0
    for at in range(start, len(texts)):
        if is_frame(texts[at]) or notebook_frame(texts[at]):
            after_frame = 0
            continue
        is_source = source.match(texts[at]) or _MARKS.match(texts[at]) or (not after_frame and _goes_on(texts, at + 1))
        if begins_with_exception(texts[at]) or after_frame == _MOST_SOURCE or not is_source:
            return at
        after_frame += source is _SOURCE
    return len(texts)


def _goes_on(texts: Sequence[str], at: int) -> bool:
    """Whether a stack goes on here: the line above, though not indented, is source then."""
    if at < len(texts) and _MARKS.match(texts[at]):
        at += 1
    return at < len(texts) and (is_frame(texts[at]) or begins_with_exception(texts[at]) is not None)


def _bare(lines: Sequence[TextLine]) -> Iterator[Failure]:
    """The last line that names an exception."""
    for at in range(len(lines) - 1, -1, -1):
        found = _exception([line.text for line in lines[at : at + 1 + LONGEST]], 0, ends_with_exception, ())
        if found is not None:
            yield _placed(found, lines[at:])
            return


def _placed(found: _Found, block: Sequence[TextLine]) -> Failure:
    read = [line for line in block[: found.lines] if line.text.strip()] or block[:1]
    return Failure.of(found.exception, read[0].start, read[-1].end)


def _with_assertion(failure: Failure, lines: Sequence[TextLine]) -> Failure:
    assertion = next((line.text.strip() for line in lines if _ASSERTION.search(line.text)), None)
    if assertion is None:
        return failure
    exception = failure.exception
    return Failure.of(replace(exception, message=f"{exception.message}\n{assertion}"), failure.start, failure.end)
