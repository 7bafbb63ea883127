"""A part of the index that answers one kind of question, in a SQLite file of its own."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from bugloss.corpus.index.stamps import Stamp, Stamps, bug_of

if TYPE_CHECKING:
    from bugloss.corpus.entry import Entry

_SCHEMA = """
CREATE TABLE bugs (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL, folder TEXT NOT NULL UNIQUE, title TEXT, broken TEXT NOT NULL);
CREATE TABLE stamps (only INTEGER PRIMARY KEY, paths TEXT NOT NULL, facts BLOB NOT NULL);
"""


class IndexSection(Protocol):
    """What one kind of question needs of each bug."""

    @property
    def name(self) -> str: ...

    @property
    def groups(self) -> Sequence[str]:
        """The groups of files that its answers depend on."""

    @property
    def schema(self) -> str: ...

    def put(self, index: sqlite3.Connection, number: int, entry: Entry) -> None:
        """Stores what is needed of a bug."""

    def drop(self, index: sqlite3.Connection, number: int) -> None:
        """Forgets a bug."""

    def finish(self, index: sqlite3.Connection) -> None:
        """Works out what depends on all bugs together."""


@dataclass(frozen=True, slots=True)
class ReadBug:
    """A bug folder as it was read; of a broken one the sentence that says why instead of the bug."""

    folder: str
    stamp: Stamp
    entry: Entry | None
    broken: str = ""


def open_section(path: Path, section: IndexSection) -> sqlite3.Connection:
    """The section, empty where there is none; an error of SQLite where its file is damaged."""
    index = sqlite3.connect(path, timeout=10, isolation_level=None)
    index.execute("PRAGMA synchronous = OFF")  # it is derived: after a crash it is made again
    if not index.execute("SELECT 1 FROM sqlite_master WHERE name = 'stamps'").fetchone():
        index.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} {section.schema} COMMIT;")
    return index


def read_stamps(index: sqlite3.Connection) -> Stamps:
    """The stamps of all bugs."""
    row = index.execute("SELECT paths, facts FROM stamps").fetchone()
    facts = array("q")
    facts.frombytes(row[1] if row else b"")
    return Stamps(row[0].split("\n") if row and row[0] else [], facts)


def replace_bugs(
    index: sqlite3.Connection, section: IndexSection, folders: Iterable[str], bugs: Iterable[ReadBug]
) -> None:
    """Takes what is known of some folders out and puts these bugs in, all at once."""
    folders = set(folders)
    index.execute("BEGIN IMMEDIATE")
    try:
        stamps = _without(read_stamps(index), folders)
        for folder in folders:
            _remove(index, section, folder)
        for bug in bugs:
            _insert(index, section, bug)
            for group in section.groups:
                stamps.add(bug.stamp.paths[group], bug.stamp.facts[group])
        row = (1, "\n".join(stamps.paths), stamps.facts.tobytes())
        index.execute("INSERT OR REPLACE INTO stamps VALUES (?, ?, ?)", row)
        section.finish(index)
        index.execute("COMMIT")
    except BaseException:
        index.execute("ROLLBACK")
        raise


def broken_bugs(index: sqlite3.Connection) -> dict[str, str]:
    """What is wrong with the bugs that cannot be read."""
    return dict(index.execute("SELECT id, broken FROM bugs WHERE broken != '' ORDER BY id").fetchall())


def _remove(index: sqlite3.Connection, section: IndexSection, folder: str) -> None:
    row = index.execute("SELECT number FROM bugs WHERE folder = ?", (folder,)).fetchone()
    if row is not None:
        index.execute("DELETE FROM bugs WHERE number = ?", row)
        section.drop(index, row[0])


def _insert(index: sqlite3.Connection, section: IndexSection, bug: ReadBug) -> None:
    title = bug.entry.bug.title if bug.entry else None
    row = (bug.folder.rpartition("/")[2], bug.folder, title, bug.broken)
    number = index.execute("INSERT INTO bugs (id, folder, title, broken) VALUES (?, ?, ?, ?)", row).lastrowid
    if bug.entry is not None and number is not None:
        section.put(index, number, bug.entry)


def _without(known: Stamps, folders: set[str]) -> Stamps:
    kept = Stamps()
    for at, path in enumerate(known.paths):
        if bug_of(path) not in folders:
            kept.add((path,), known.facts[2 * at : 2 * at + 2])
    return kept
