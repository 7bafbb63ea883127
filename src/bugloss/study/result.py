"""What a study yields: tables, each with what the paper prints beside what the data say."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class StudiedTable:
    """One table; ``name`` is that of its CSV file, and the columns in ``drawn`` are shares that a plot shows."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    remarks: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()

    def column(self, name: str) -> tuple[Cell, ...]:
        """The values of one column, from the first row to the last."""
        at = self.columns.index(name)
        return tuple(row[at] for row in self.rows)

    @property
    def as_csv(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([self.columns, *self.rows])
        return text.getvalue()


@dataclass(frozen=True, slots=True)
class StudyResult:
    """A study by name, the paper that it reruns, and its tables."""

    name: str
    source: str
    tables: tuple[StudiedTable, ...]
    remarks: tuple[str, ...] = ()

    @property
    def document(self) -> dict[str, object]:
        return {"study": self.name, "source": self.source, "tables": self.tables, "remarks": self.remarks}
