"""Families of words that show what a report is about; the words are in ``data/lexicon.txt``.

A family is a list of words and of phrases of two or three words (joined by ``+``); a word that ends in ``*`` stands for
all that begin with it. Words are compared in lower case, identifiers as they are written and in their parts:
``CrossEntropyLoss`` is itself and ``cross``, ``entropy``, ``loss``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "data" / "lexicon.txt"


@cache
def families() -> dict[str, tuple[str, ...]]:
    """The entries of each family; a line that begins with a blank goes on with the family above it."""
    found: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in FILE.read_text(encoding="utf-8").split("\n"):
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith(" "):
            name = line.split(":", 1)[0]
        found[name] = (*found.get(name, ()), *line.removeprefix(f"{name}:").split())
    return found


@cache
def family_index() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Families by word or phrase, and by the beginning of words."""
    whole: dict[str, tuple[str, ...]] = {}
    beginnings: dict[str, tuple[str, ...]] = {}
    for family, entries in families().items():
        for entry in entries:
            table, key = (beginnings, entry[:-1]) if entry.endswith("*") else (whole, entry.replace("+", " "))
            table[key] = (*table.get(key, ()), family)
    return whole, beginnings
