"""The study's tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bugloss.core.visible import visible
from bugloss.evaluate.study_tables import StudyTable


def tables_as_markdown(tables: Sequence[StudyTable]) -> str:
    """All tables under one heading, each with the number that it has in the study."""
    head = "# Tables of the localization study, from our own measurements\n"
    return visible("\n".join([head, *("\n".join([*_table(table), ""]) for table in tables)]))


def _table(table: StudyTable) -> Iterator[str]:
    """Sections become rows of one cell, as in print."""
    yield f"## Table {table.number}: {table.title}\n"
    yield _row(table.columns)
    yield _row(["---", *("---:" for _ in table.columns[1:])])
    for section in table.sections:
        if section.name:
            yield _row([f"**{section.name}**", *("" for _ in table.columns[1:])])
        yield from (_row(row) for row in section.rows)
    yield f"\n{table.note}"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
