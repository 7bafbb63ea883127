"""Full-text search over reports, labels and fixes.

The index is a SQLite file in the cache, named after the content it was made from: a changed corpus gets a new one, a
damaged one is built again, and where the cache cannot be written it lives in memory.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from bugloss.core.cache import cache_folder, writable
from bugloss.core.errors import CacheUnusable, FileRefused
from bugloss.core.foreign_file import read_text
from bugloss.corpus.content_digest import digest_of
from bugloss.corpus.entry import Entry
from bugloss.corpus.search_hit import SearchHit
from bugloss.corpus.search_query import WORD, one_line, query_of
from bugloss.corpus.unified_diff import bug_files


def search(entries: Sequence[Entry], text: str, limit: int = 10) -> list[SearchHit]:
    """Bugs whose report, title, labels or programs hold the words, the best match first."""
    query = query_of(text)
    if not query:
        return []
    most = min(limit, len(entries))
    try:
        rows = _look_up(_stored_index(entries), query, most)
    except (OSError, sqlite3.Error, CacheUnusable):
        rows = _look_up(_fill(sqlite3.connect(":memory:"), entries), query, most)
    return [SearchHit(bug, round(-score, 3), one_line(excerpt)) for bug, score, excerpt in rows]


def _look_up(index: sqlite3.Connection, query: str, limit: int) -> list[tuple[str, float, str]]:
    with closing(index):
        return index.execute(
            "SELECT bug, bm25(bugs, 0, 8, 4, 2, 1), snippet(bugs, -1, '«', '»', ' … ', 12) FROM bugs"
            " WHERE bugs MATCH ? ORDER BY 2 LIMIT ?",
            (query, limit),
        ).fetchall()


def words_of(entry: Entry) -> list[str]:
    """Every word by which a bug can be found, in lower case and once, for a search without an index."""
    return sorted({word.lower() for text in (entry.id, *texts_of(entry)) for word in WORD.findall(text)})


class SearchIndex:
    """The index of one state of a corpus, in memory, for a process that answers many questions; for several threads."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._lock = threading.Lock()
        self._bugs = [entry.id for entry in entries]
        self._rows = {bug: row for row, bug in enumerate(self._bugs, start=1)}  # as _fill inserts them
        self._index = sqlite3.connect(":memory:", check_same_thread=False)
        try:
            with closing(_stored_index(entries)) as stored:
                stored.backup(self._index)
        except (OSError, sqlite3.Error, CacheUnusable):
            self._index = _fill(sqlite3.connect(":memory:", check_same_thread=False), entries)

    def scores(self, text: str, *, every_word: bool = False) -> dict[str, float]:
        """Every bug that holds one of the words, or all of them, with how well it fits; the best match first."""
        query = query_of(text, "AND" if every_word else "OR")
        if not query:
            return {}
        statement = "SELECT rowid, bm25(bugs, 0, 8, 4, 2, 1) FROM bugs WHERE bugs MATCH ? ORDER BY 2"
        with self._lock:
            rows = self._index.execute(statement, (query,)).fetchall()
        return {self._bugs[row - 1]: round(-score, 3) for row, score in rows}

    def excerpts(self, text: str, bugs: Sequence[str]) -> dict[str, str]:
        """The words around the match, for the bugs that are shown."""
        query = query_of(text)
        if not query or not bugs:
            return {}
        statement = (
            "SELECT rowid, snippet(bugs, -1, '«', '»', ' … ', 12) FROM bugs"
            f" WHERE bugs MATCH ? AND rowid IN ({', '.join('?' * len(bugs))})"
        )
        with self._lock:
            rows = self._index.execute(statement, (query, *(self._rows[bug] for bug in bugs))).fetchall()
        return {self._bugs[row - 1]: one_line(excerpt) for row, excerpt in rows}


def _text(folder: Path, name: str) -> str:
    """What can be read of a file: a bug that lacks one is found by the rest, and lint says what is missing."""
    try:
        return read_text(folder, name, errors="replace")
    except FileRefused:
        return ""


def _labels(entry: Entry) -> list[str]:
    labels = entry.bug.labels
    chosen = (labels.bug_type, labels.general_type, labels.symptom, labels.fix_pattern, labels.category)
    return [entry.bug.framework.value, *(f"{label.facet()}={label.value}" for label in chosen)]


def _stored_index(entries: Sequence[Entry]) -> sqlite3.Connection:
    """The index in the cache, built again where it is missing or damaged."""
    path = writable(cache_folder() / "indexes") / f"{digest_of(entries)}.sqlite"
    if not path.exists() or not _is_whole(path):
        _make(path, entries)
    return sqlite3.connect(path)


def _is_whole(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path)) as index:
            index.execute("SELECT count(*) FROM bugs WHERE bugs MATCH 'torch'").fetchone()
            return bool(index.execute("PRAGMA quick_check").fetchone() == ("ok",))
    except sqlite3.DatabaseError:
        return False


def _make(path: Path, entries: Sequence[Entry]) -> None:
    """Built beside its place and moved there whole, so that no reader opens half an index."""
    draft = path.with_suffix(f".{os.getpid()}")
    draft.unlink(missing_ok=True)
    _fill(sqlite3.connect(draft), entries).close()
    draft.replace(path)


def _fill(index: sqlite3.Connection, entries: Sequence[Entry]) -> sqlite3.Connection:
    index.execute("CREATE VIRTUAL TABLE bugs USING fts5(bug UNINDEXED, title, labels, report, code, tokenize='porter')")
    for entry in entries:
        index.execute("INSERT INTO bugs VALUES (?, ?, ?, ?, ?)", (entry.id, *texts_of(entry)))
    index.commit()
    return index


def texts_of(entry: Entry) -> tuple[str, str, str, str]:
    """What is searched: title, labels, report and buggy program."""
    labels = " ".join([*_labels(entry), entry.bug.oracle.exception, entry.bug.oracle.message])
    program = entry.own_program("buggy")
    code = "\n".join(_text(program, name) for name in bug_files(program).names)
    report = _text(entry.bug.folder, "report.md")
    return entry.bug.title, labels.replace("=", " ").replace("-", " "), report, code
