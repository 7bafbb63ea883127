"""Wordings are general: none of them is found in one single report of ours and nowhere else."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from bugloss.reproduce.words import rows, spelled_out

ROOT = Path(__file__).resolve().parents[2]
TABLES = ("symptoms", "one-output", "prose")  # the names of architectures are those of the literature


@cache
def reports() -> tuple[str, ...]:
    """The text of every report of the corpus and of the benchmark; one bug's two reports are one."""
    corpus = ["\n".join(path.read_text() for path in folder.glob("*.md")) for folder in (ROOT / "bugs").glob("*/*/")]
    return (*corpus, *(path.read_text() for path in (ROOT / "bench" / "reports").glob("*.md")))


def alternatives(pattern: str) -> list[str]:
    """The wordings of a pattern: what stands between bars that are in no brackets."""
    found, depth, start, at = [], 0, 0, 0
    while at < len(pattern):
        character = pattern[at]
        at += 2 if character == "\\" else 1
        if character == "[":
            at = pattern.index("]", at + 1) + 1
        depth += (character == "(") - (character == ")")
        if character == "|" and depth == 0:
            found.append(pattern[start : at - 1])
            start = at
    return [*found, pattern[start:]]


WORDINGS = [
    (table, meaning, wording)
    for table in TABLES
    for meaning, pattern in rows(table, 2)
    for wording in alternatives(pattern)
]


@pytest.mark.parametrize(("table", "meaning", "wording"), WORDINGS)
def test_no_wording_is_made_for_one_report(table: str, meaning: str, wording: str) -> None:
    pattern = re.compile(spelled_out(wording), re.IGNORECASE)
    assert sum(pattern.search(report) is not None for report in reports()) != 1


def test_a_pattern_is_taken_apart_at_its_own_bars() -> None:
    assert alternatives(r"\bone\b|(?:a|b)\|c|[|]d") == [r"\bone\b", r"(?:a|b)\|c", "[|]d"]
