"""A patch of a reproduction, said on the lines of the report that it was made from.

A reproduction keeps most lines of its report, changes some, and adds its own. Where a patched line is one of the
report's, the change is made there, with the report's indentation; what is only in the reproduction is listed apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from operator import eq

from bugloss.core.reported_patch import ReportedPatch
from bugloss.core.text_diff import text_diff

_SAME_LINE = 0.7  # the similarity from which a changed line of the reproduction is still the report's
_TELLING = 4  # characters; a bracket alone is found everywhere


@dataclass(frozen=True, slots=True)
class _Change:
    """Lines of the report, from and to, and the text there afterwards."""

    start: int
    end: int
    lines: tuple[str, ...]


def on_report(before: str, after: str, report: str, name: str = "report.md") -> ReportedPatch:
    """The way from one program to the other, on the lines of a report."""
    old, new, reported = before.split("\n"), after.split("\n"), report.split("\n")
    places = _places(old, reported)
    changes: list[_Change] = []
    elsewhere: list[str] = []
    for tag, start, end, from_new, to_new in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        added = new[from_new:to_new]
        change = _moved(old, start, end, added, reported, places)
        if change is not None:
            changes.append(change)
        else:
            elsewhere += [f"-{line}" for line in old[start:end]] + [f"+{line}" for line in added]
    patched = list(reported)
    for change in sorted(changes, key=lambda one: -one.start):
        patched[change.start : change.end] = change.lines
    diff = text_diff(report, "\n".join(patched), f"a/{name}", f"b/{name}") if changes else ""
    return ReportedPatch(diff, tuple(sorted(change.start + 1 for change in changes)), tuple(elsewhere))


def _places(script: Sequence[str], report: Sequence[str]) -> dict[int, int]:
    """Lines of the script by their number, with the line of the report that they come from."""
    found: dict[int, int] = {}
    ours, theirs = [line.strip() for line in script], [line.strip() for line in report]
    for tag, start, end, at, to in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            found.update(zip(range(start, end), range(at, to), strict=True))
        elif tag == "replace":
            found.update(_similar(ours, theirs, range(start, end), range(at, to)))
    return {line: place for line, place in found.items() if len(ours[line]) >= _TELLING or _beside(found, line, place)}


def _beside(found: Mapping[int, int], line: int, place: int) -> bool:
    return found.get(line - 1) == place - 1 or found.get(line + 1) == place + 1


def _similar(ours: Sequence[str], theirs: Sequence[str], lines: range, places: range) -> Iterator[tuple[int, int]]:
    """Lines that were changed a little, in their order."""
    first = places.start
    for line in lines:
        for place in range(first, places.stop):
            if ours[line] and SequenceMatcher(None, ours[line], theirs[place]).ratio() >= _SAME_LINE:
                yield line, place
                first = place + 1
                break


def _moved(
    old: Sequence[str], start: int, end: int, added: Sequence[str], reported: Sequence[str], places: Mapping[int, int]
) -> _Change | None:
    """The same change in the report; None where one of its lines is not there."""
    if start == end:
        return _inserted(old, start, added, reported, places)
    found = [places.get(line) for line in range(start, end)]
    first = found[0]
    if first is None or found != list(range(first, first + len(found))):
        return None
    if all(old[start + at].strip() == reported[first + at].strip() for at in range(len(found))):
        return _Change(first, first + len(found), _indented(added, old[start], reported[first]))
    if len(found) == len(added) == 1:
        line = _changed_within(old[start], added[0], reported[first])
        return None if line is None else _Change(first, first + 1, (line,))
    return None


def _inserted(
    old: Sequence[str], at: int, added: Sequence[str], reported: Sequence[str], places: Mapping[int, int]
) -> _Change | None:
    """New lines after the line before them, or before the one after them, whichever is the report's."""
    if at - 1 in places and old[at - 1].strip():
        place = places[at - 1]
        return _Change(place + 1, place + 1, _indented(added, old[at - 1], reported[place]))
    if at in places and old[at].strip():
        return _Change(places[at], places[at], _indented(added, old[at], reported[places[at]]))
    return None


def _indented(lines: Sequence[str], ours: str, theirs: str) -> tuple[str, ...]:
    """Lines moved from the indentation of a line of the script to that of the report."""
    mine, wanted = _indentation(ours), _indentation(theirs)
    return tuple(wanted + line[len(mine) :] if line.startswith(mine) and line.strip() else line for line in lines)


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _changed_within(before: str, after: str, line: str) -> str | None:
    """A line with the change that another version of it had; None where the changed words are not once in it."""
    front = _shared(before, after)
    back = _shared(before[front:][::-1], after[front:][::-1])
    while front and (before[front - 1].isalnum() or before[front - 1] in "_."):
        front -= 1
    while back and (before[-back].isalnum() or before[-back] in "_."):
        back -= 1
    gone, come = before[front : len(before) - back], after[front : len(after) - back]
    return line.replace(gone, come) if gone.strip() and line.count(gone) == 1 else None


def _shared(first: str, second: str) -> int:
    """How many characters agree from the start."""
    return sum(takewhile(bool, map(eq, first, second)))
