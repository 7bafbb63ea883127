"""The tables of the room, as text: one fact per line, columns divided by " | ", the pattern last."""

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


NUMBERS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "hundred": 100,
}  # fmt: skip
_PLACEHOLDERS = {
    "NUMBER": rf"(?:\d{{1,7}}(?:,\d{{3}}){{0,3}}|{'|'.join(NUMBERS)})",
    "NOT": r"(?:not|n't|never|hardly|barely|no longer|stops?|fails? to|refuses? to|without)",
}


def spelled_out(pattern: str) -> str:
    """A pattern of a table with its placeholders replaced."""
    for word, meaning in _PLACEHOLDERS.items():
        pattern = pattern.replace(word, meaning)
    return pattern


@cache
def wording(name: str) -> re.Pattern[str]:
    """What a sentence must have in it to say something: all lines of that name in the table of prose."""
    found = [spelled_out(pattern) for meaning, pattern in rows("prose", 2) if meaning == name]
    return re.compile("|".join(found), re.IGNORECASE)


@cache
def patterns(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """A table of two columns, what words mean and the pattern that finds them, without regard to case."""
    return tuple((meaning, re.compile(pattern, re.IGNORECASE)) for meaning, pattern in rows(name, 2))


def first_of(name: str, text: str) -> str:
    """The meaning of the words of a table that come first in a text; empty where there are none."""
    found = [(match.start(), meaning) for meaning, pattern in patterns(name) if (match := pattern.search(text))]
    return min(found)[1] if found else ""
