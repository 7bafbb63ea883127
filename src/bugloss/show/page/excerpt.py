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
class ExcerptLine:
    """One line of code."""

    number: int
    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class CodeExcerpt:
    """Neighbouring places of one file: their lines, why each is shown, and the code where it could be read."""

    path: str
    places: tuple[tuple[int, str], ...]  # line, why
    lines: tuple[ExcerptLine, ...] = ()
    cells: str = ""  # the places in a notebook, as its reader counts

    @property
    def title(self) -> str:
        """The file with its lines."""
        return self.cells or f"{self.path}:{', '.join(str(line) for line, _ in self.places)}"


class Excerpts:
    """Makes excerpts, and shows the same code only once on a page."""

    def __init__(self, read: Source, script: str) -> None:
        self._read, self._script = read, script
        self._shown: set[tuple[str, int]] = set()

    def of(self, locations: Sequence[Location]) -> tuple[CodeExcerpt, ...]:
        """The places of a cause, the likeliest first; those that stand close together in one piece of code."""
        groups: list[list[Location]] = []
        for location in locations:
            near = (group for group in groups if any(_are_neighbours(location, other) for other in group))
            group = next(near, None)
            if group is None:
                groups.append([location])
            elif all(other.line != location.line for other in group):
                group.append(location)
        return tuple(self._excerpt(group) for group in groups)

    def _excerpt(self, group: Sequence[Location]) -> CodeExcerpt:
        path = group[0].path
        new = [place.line for place in group if (path, place.line) not in self._shown]
        self._shown |= {(path, line) for line in new}
        text = source_text(path, self._read, self._script) if new else None
        places = tuple((place.line, place.why) for place in group)
        return CodeExcerpt(path, places, _around(text, new), ", ".join(place.words for place in group if place.cell))


def _are_neighbours(first: Location, second: Location) -> bool:
    return first.path == second.path and abs(first.line - second.line) <= AROUND * 2


def source_text(path: str, read: Source, script: str) -> str | None:
    """Locations are written as the user typed the script; the sources are in the script's folder."""
    parent = PurePath(script).parent
    candidates = [path]
    if PurePath(path).is_relative_to(parent):
        candidates.append(PurePath(path).relative_to(parent).as_posix())
    return next((text for candidate in candidates if (text := read(candidate)) is not None), None)


def _around(text: str | None, marked: Sequence[int]) -> tuple[ExcerptLine, ...]:
    if text is None:
        return ()
    lines = text.split("\n")
    there = [line for line in marked if 1 <= line <= len(lines)]
    if not there:
        return ()
    first, last = max(1, min(there) - AROUND), min(len(lines), max(there) + AROUND)
    return tuple(ExcerptLine(number, _cut(lines[number - 1]), number in there) for number in range(first, last + 1))


def _cut(line: str) -> str:
    plain = line.rstrip().expandtabs(4)
    return plain if len(plain) <= _LONGEST_LINE else f"{plain[: _LONGEST_LINE - 1]}…"
