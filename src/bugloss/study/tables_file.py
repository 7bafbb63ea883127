"""Tables in CSV files: ours, whose first lines say where they come from, and a user's own."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.named_file import read_named_text

DATA = Path(__file__).parent / "data"

Row = dict[str, str]


def read_rows(text: str) -> Iterator[Row]:
    """The rows of a table; lines that begin with # are remarks."""
    yield from csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))


def read_own_rows(path: Path, needed: Sequence[str]) -> list[Row]:
    """The rows of a user's table, which must have these columns."""
    rows = list(read_rows(read_named_text(path)))
    missing = [name for name in needed if not rows or rows[0].get(name) is None]
    if missing:
        raise InvalidInput(
            f"{path} has no column {missing[0]}." if rows else f"{path} has no rows.",
            hint=f"Write a CSV file with the columns {', '.join(needed)}.",
        )
    return rows


def read_number(path: Path, row: Row, name: str) -> float:
    """A number of a user's table."""
    try:
        return float(row[name])
    except (TypeError, ValueError):
        raise InvalidInput(f"{path}: '{row[name]}' in the column {name} is not a number.") from None
