"""The lines of the user's program that a cause points at, with a few around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from bugloss.core.diagnosis import Location

AROUND = 3
_LONGEST_LINE = 160

Source = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class CodeLine:
    """One line of code."""

    number: int
    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A place in the program: its name, why it is shown, and the code where it could be read."""

    path: str
    line: int
    why: str
    score: float
    lines: tuple[CodeLine, ...] = ()


class Excerpts:
    """Makes excerpts, and shows the same code only once on a page."""

    def __init__(self, read: Source, script: str) -> None:
        self._read, self._script = read, script
        self._shown: set[tuple[str, int]] = set()

    def of(self, locations: Sequence[Location]) -> tuple[Excerpt, ...]:
        """One excerpt a location."""
        places = {(location.path, location.line): location for location in reversed(locations)}
        return tuple(self._excerpt(place) for place in reversed(places.values()))

    def _excerpt(self, place: Location) -> Excerpt:
        key = (place.path, place.line)
        lines = () if key in self._shown else _around(_text(place.path, self._read, self._script), place.line)
        self._shown.add(key)
        return Excerpt(place.path, place.line, place.why, place.score, lines)


def _text(path: str, read: Source, script: str) -> str | None:
    """Locations are written as the user typed the script; the sources lie in the script's folder."""
    parent = PurePath(script).parent
    candidates = [path]
    if PurePath(path).is_relative_to(parent):
        candidates.append(PurePath(path).relative_to(parent).as_posix())
    return next((text for candidate in candidates if (text := read(candidate)) is not None), None)


def _around(text: str | None, line: int) -> tuple[CodeLine, ...]:
    if text is None:
        return ()
    lines = text.split("\n")
    if not 1 <= line <= len(lines):
        return ()
    first, last = max(1, line - AROUND), min(len(lines), line + AROUND)
    return tuple(CodeLine(number, _cut(lines[number - 1]), number == line) for number in range(first, last + 1))


def _cut(line: str) -> str:
    plain = line.rstrip().expandtabs(4)
    return plain if len(plain) <= _LONGEST_LINE else f"{plain[: _LONGEST_LINE - 1]}…"
