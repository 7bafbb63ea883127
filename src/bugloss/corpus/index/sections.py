"""The sections of the index: fields for lists, words for searches, shapes of fixes for comparisons."""

from __future__ import annotations

import json
import math
import sqlite3
from typing import TYPE_CHECKING

from bugloss.corpus.index.stamps import FACTS, FIX, PROGRAM, REPORT

if TYPE_CHECKING:
    from bugloss.corpus.entry import Entry

LABELS = ("general_type", "fix_pattern", "category", "bug_type", "symptom", "framework")
CHANGE, CONTEXT = "change", "context"


class FieldSection:
    """The fields of queries, a column each; what is neither a text nor a number is kept as JSON, in bytes."""

    name = "fields"
    groups = (FACTS,)

    @property
    def schema(self) -> str:
        from bugloss.corpus.where import FIELDS

        columns = ", ".join(f'"{field}"' for field in FIELDS)
        return f"CREATE TABLE fields (number INTEGER PRIMARY KEY, {columns});"

    def put(self, index: sqlite3.Connection, number: int, entry: Entry) -> None:
        from bugloss.corpus.where import FIELDS, value_of

        values = [_stored(value_of(entry, field)) for field in FIELDS]
        marks = ", ".join("?" * (1 + len(values)))
        index.execute(f"INSERT INTO fields VALUES ({marks})", (number, *values))

    def drop(self, index: sqlite3.Connection, number: int) -> None:
        index.execute("DELETE FROM fields WHERE number = ?", (number,))

    def finish(self, index: sqlite3.Connection) -> None:
        """A bug's fields depend on its own folder only."""


def _stored(value: object) -> str | int | float | bytes:
    return value if type(value) in {str, int, float} else json.dumps(value).encode()  # type: ignore[return-value]


def read_field(stored: object) -> object:
    """A field as it was before it was stored."""
    return json.loads(stored) if isinstance(stored, bytes) else stored


class WordSection:
    """The words of titles, labels, reports and programs."""

    name = "words"
    groups = (FACTS, REPORT, PROGRAM)
    schema = "CREATE VIRTUAL TABLE words USING fts5(title, labels, report, code, tokenize='porter');"

    def put(self, index: sqlite3.Connection, number: int, entry: Entry) -> None:
        from bugloss.corpus.search import texts_of

        columns = "(rowid, title, labels, report, code)"
        index.execute(f"INSERT INTO words {columns} VALUES (?, ?, ?, ?, ?)", (number, *texts_of(entry)))

    def drop(self, index: sqlite3.Connection, number: int) -> None:
        index.execute("DELETE FROM words WHERE rowid = ?", (number,))

    def finish(self, index: sqlite3.Connection) -> None:
        """SQLite counts words itself."""


class FixSection:
    """Labels, and what fixes change, part by part."""

    name = "fixes"
    groups = (FACTS, PROGRAM, FIX)
    schema = f"""
    CREATE TABLE fixes (
      number INTEGER PRIMARY KEY, {", ".join(f"{label} TEXT" for label in LABELS)}, change REAL, context REAL);
    CREATE TABLE parts (part TEXT NOT NULL, number INTEGER NOT NULL, side TEXT NOT NULL, count INTEGER NOT NULL);
    CREATE INDEX by_part ON parts (part, side, number, count);
    CREATE INDEX by_bug ON parts (number);"""

    def put(self, index: sqlite3.Connection, number: int, entry: Entry) -> None:
        from bugloss.corpus.similarity import labels_of, shape_of

        labels, shape = labels_of(entry), shape_of(entry)
        marks = ", ".join("?" * (1 + len(LABELS)))
        values = (number, *(labels[label] for label in LABELS))
        index.execute(f"INSERT INTO fixes (number, {', '.join(LABELS)}) VALUES ({marks})", values)
        for side, parts in ((CHANGE, shape.change), (CONTEXT, shape.context)):
            rows = [(part, number, side, count) for part, count in parts.items()]
            index.executemany("INSERT INTO parts VALUES (?, ?, ?, ?)", rows)

    def drop(self, index: sqlite3.Connection, number: int) -> None:
        index.execute("DELETE FROM fixes WHERE number = ?", (number,))
        index.execute("DELETE FROM parts WHERE number = ?", (number,))

    def finish(self, index: sqlite3.Connection) -> None:
        """The length of every fix as a vector; a changed bug changes how rare a part is, and so all of them."""
        from bugloss.core.term_weights import weighted

        having = dict(index.execute("SELECT part, count(*) FROM parts GROUP BY part"))
        (bugs,) = index.execute("SELECT count(*) FROM fixes").fetchone()
        vectors: dict[tuple[int, str], dict[str, int]] = {}
        for part, number, side, count in index.execute("SELECT part, number, side, count FROM parts"):
            vectors.setdefault((number, side), {})[part] = count
        index.execute("UPDATE fixes SET change = 0, context = 0")
        for (number, side), counts in vectors.items():
            length = math.hypot(*weighted(counts, having, bugs).values())
            index.execute(f"UPDATE fixes SET {side} = ? WHERE number = ?", (length, number))
