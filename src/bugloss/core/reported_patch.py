"""A patch of a reproduction, said on the lines of the report that it was made from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReportedPatch:
    """The change as a diff of the report's text, the lines of the report that it touches, and what is not in it."""

    diff: str
    lines: tuple[int, ...] = ()
    elsewhere: tuple[str, ...] = ()  # lines of the patch that bugloss wrote itself, with + or -
