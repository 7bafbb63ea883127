"""What was worked out about blobs and commits, kept in one SQLite file below the cache folder.

Keys are object ids, so an entry never goes stale; several processes may read and write at once. Without a cache folder
that can be written everything works from memory, only slower.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bugloss.localize.index.inside import Definition, Inside
from bugloss.localize.index.postings import packed_counts
from bugloss.localize.index.source_facts import SourceFacts, packed, unpacked

VERSION = 5  # of the readers: what an older reader found is never used
BUDGET = 1_000_000_000  # bytes
_CHUNK = 500
_SIZES = ("page_count", "freelist_count", "page_size")
_SCHEMA = """
CREATE TABLE IF NOT EXISTS blob
    (id TEXT PRIMARY KEY, terms BLOB, definitions BLOB, lines BLOB, phrases BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS change (id TEXT PRIMARY KEY, facts BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS made (id TEXT PRIMARY KEY, used INTEGER, content BLOB);
"""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outline:
    """The part of a file's facts that the index of a tree is made of."""

    terms: Mapping[str, int]  # packed counts by field
    lengths: Sequence[int]  # how many terms each field has
    names: Sequence[tuple[str, bool]]  # of definitions, and whether each is a class
    imports: Sequence[str]


@dataclass(slots=True)
class FactStore:
    """The kept facts; ``path`` is None where they live in memory only."""

    connection: sqlite3.Connection
    path: Path | None = None
    budget: int = BUDGET

    @classmethod
    def open(cls, folder: Path | None, budget: int = BUDGET) -> FactStore:
        """The store below a folder; one in memory where the folder is None or cannot be used."""
        if folder is not None:
            try:
                return cls._at(folder / f"facts-{VERSION}.sqlite", budget)
            except (OSError, sqlite3.Error) as error:
                logger.warning("the index cannot be stored in %s (%s); it is built again", folder, error)
        connection = sqlite3.connect(":memory:")
        connection.executescript(_SCHEMA)
        return cls(connection, None, budget)

    @classmethod
    def _at(cls, path: Path, budget: int) -> FactStore:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=30)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=OFF")  # a lost entry is made again
            connection.executescript(_SCHEMA)
        except sqlite3.DatabaseError:
            connection.close()
            path.unlink(missing_ok=True)  # a broken file is worth nothing: all of it can be made again
            raise
        return cls(connection, path, budget)

    def known(self, table: str, ids: Iterable[str]) -> set[str]:
        """Which of these ids a table has."""
        return {row[0] for row in self._rows(f"SELECT id FROM {table}", list(ids))}

    def outlines(self, ids: Sequence[str]) -> Iterator[tuple[str, Outline]]:
        """The outlines of blobs that are kept."""
        for blob, data in self._rows("SELECT id, terms FROM blob", ids):
            yield blob, _read_outline(_unpack(data))

    def insides(self, ids: Sequence[str]) -> dict[str, Inside]:
        """The definitions of blobs that are kept, with lines and terms."""
        rows = self._rows("SELECT id, definitions FROM blob", ids)
        return {blob: _read_inside(_unpack(data)) for blob, data in rows}

    def marks(self, ids: Sequence[str]) -> dict[str, tuple[Sequence[int], Sequence[int]]]:
        """The hashed lines and phrases of blobs that are kept."""
        rows = self._rows("SELECT id, lines, phrases FROM blob", ids)
        return {blob: (unpacked(lines), unpacked(phrases)) for blob, lines, phrases in rows}

    def add(self, facts: Iterable[tuple[str, SourceFacts]]) -> None:
        """Keeps the facts of blobs."""
        rows = [
            (
                blob,
                _pack(_write_outline(source)),
                _pack(_write_inside(source.inside)),
                packed(source.lines),
                packed(source.phrases),
            )
            for blob, source in facts
        ]
        self._write("INSERT OR REPLACE INTO blob VALUES (?, ?, ?, ?, ?)", rows)

    def changes(self, ids: Sequence[str]) -> Iterator[tuple[str, Any]]:
        """What is kept of commits."""
        return ((commit, _unpack(data)) for commit, data in self._rows("SELECT id, facts FROM change", ids))

    def add_changes(self, changes: Iterable[tuple[str, Any]]) -> None:
        """Keeps what commits changed."""
        self._write("INSERT OR REPLACE INTO change VALUES (?, ?)", [(name, _pack(facts)) for name, facts in changes])

    def made(self, name: str) -> bytes | None:
        """Something larger that was made and kept under a name."""
        row = self.connection.execute("SELECT content FROM made WHERE id = ?", (name,)).fetchone()
        return row[0] if row else None

    def keep(self, name: str, content: bytes) -> None:
        """Keeps something larger under a name."""
        self._write("INSERT OR REPLACE INTO made VALUES (?, ?, ?)", [(name, int(time.time()), content)])
        self._shrink()

    def _rows(self, select: str, ids: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for start in range(0, len(ids), _CHUNK):
            part = ids[start : start + _CHUNK]
            marks = ",".join("?" * len(part))
            yield from self.connection.execute(f"{select} WHERE id IN ({marks})", part)

    def _write(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        try:
            with self.connection:
                self.connection.executemany(statement, rows)
        except sqlite3.OperationalError as error:  # a full disk, a reader that never ends
            logger.warning("the index is not stored: %s", error)
            raise

    def used(self) -> int:
        """Bytes that are in use; pages that were freed are used again."""
        pragma = [self.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _SIZES]
        pages, free, size = pragma
        return int((pages - free) * size)

    def _shrink(self) -> None:
        """Drops what was kept longest ago; if trees are not enough, all facts: the next query makes them again."""
        while self.path is not None and self.used() > self.budget:
            with self.connection:
                oldest = "SELECT rowid FROM made ORDER BY used, rowid LIMIT max(1, (SELECT count(*) FROM made) / 4)"
                gone = self.connection.execute(f"DELETE FROM made WHERE rowid IN ({oldest})").rowcount
                if not gone:
                    self.connection.execute("DELETE FROM blob")
                    self.connection.execute("DELETE FROM change")
                    return


def _pack(value: Any) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(), 1)


def _unpack(data: bytes) -> Any:
    return json.loads(zlib.decompress(data))


def _write_outline(source: SourceFacts) -> list[Any]:
    fields = tuple(source.fields)
    lengths = [sum(counts.values()) for counts in fields]
    names = [[one.name, one.is_class] for one in source.inside.definitions]
    return [packed_counts(fields), lengths, names, list(source.imports)]


def _read_outline(data: Any) -> Outline:
    return Outline(*data)


def _write_inside(inside: Inside) -> list[Any]:
    definitions = [[d.name, d.is_class, d.line, d.end, d.length] for d in inside.definitions]
    return [definitions, inside.terms, inside.numbers]


def _read_inside(data: Any) -> Inside:
    definitions, terms, numbers = data
    return Inside(tuple(Definition(*one) for one in definitions), terms, numbers)
