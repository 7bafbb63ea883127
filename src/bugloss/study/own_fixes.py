"""A user's own fixes, counted as the published ones are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from bugloss.core.taxonomy import FixPattern
from bugloss.core.taxonomy.fix_counts import BY_BUG_TYPE, BY_LIBRARY, FixCount
from bugloss.study.tables_file import read_own_rows

COLUMNS = ("source", "library", "bug_type", "fix_pattern")

Fix = tuple[str, str, str, FixPattern]


def read_fixes(path: Path) -> tuple[FixCount, ...]:
    """A table with one row for each fix."""
    rows = read_own_rows(path, COLUMNS)
    return count_fixes(
        (row["source"], row["library"], row["bug_type"], FixPattern.parse(row["fix_pattern"])) for row in rows
    )


def count_fixes(fixes: Iterable[Fix]) -> tuple[FixCount, ...]:
    """Each fix once by library and once by type of bug."""
    counted = Counter[tuple[str, str, str, FixPattern]]()
    for source, library, bug_type, pattern in fixes:
        counted[source, BY_LIBRARY, library, pattern] += 1
        counted[source, BY_BUG_TYPE, bug_type, pattern] += 1
    return tuple(FixCount(*key, fixes=number) for key, number in counted.items())
