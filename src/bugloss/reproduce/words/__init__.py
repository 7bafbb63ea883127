"""What the room knows by heart, as tables of text: one fact a line, columns divided by " | ", the pattern last."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


@cache
def rows(name: str, columns: int) -> tuple[tuple[str, ...], ...]:
    """The lines of a table; empty lines and comments are left out."""
    lines = (_HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split(" | ", columns - 1)) for line in lines if line.strip() and not line.startswith("#"))


@cache
def groups(name: str) -> dict[str, tuple[str, ...]]:
    """A table of word lists: a line ``[name]`` opens a list, the words of the lines below belong to it."""
    found: dict[str, list[str]] = {}
    for line in (_HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            found[line.strip("[] ")] = words = []
        elif line.strip() and not line.startswith("#"):
            words += line.split()
    return {key: tuple(values) for key, values in found.items()}


@cache
def patterns(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """A table of two columns, what words mean and the pattern that finds them, without regard to case."""
    return tuple((meaning, re.compile(pattern, re.IGNORECASE)) for meaning, pattern in rows(name, 2))


def first_of(name: str, text: str) -> str:
    """The meaning of the words of a table that come first in a text; empty where there are none."""
    found = [(match.start(), meaning) for meaning, pattern in patterns(name) if (match := pattern.search(text))]
    return min(found)[1] if found else ""
