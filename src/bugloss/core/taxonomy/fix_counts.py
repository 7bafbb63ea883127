"""How often each fix pattern repaired a bug, counted in a published study of 667 fixes (see ``fix_counts.csv``)."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from bugloss.core.taxonomy.fix_pattern import FixPattern

STACK_OVERFLOW, GITHUB = "stackoverflow", "github"
BY_LIBRARY, BY_BUG_TYPE = "library", "bug type"


class FixCount(NamedTuple):
    """So many fixes of one source, library or bug type, and pattern."""

    source: str
    by: str
    name: str
    pattern: FixPattern
    fixes: int


@cache
def published_fix_counts() -> tuple[FixCount, ...]:
    """Every count; each fix is counted once by library and once by bug type."""
    text = (files("bugloss.core.taxonomy") / "fix_counts.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    return tuple(
        FixCount(row["source"], row["by"], row["name"], FixPattern(row["fix_pattern"]), int(row["fixes"]))
        for row in rows
    )
