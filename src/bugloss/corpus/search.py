"""Full-text search over reports, labels and fixes, and the bugs most like a given one.

The index is a SQLite file in the cache, named after the content it was made from: a changed corpus
gets a new one, a damaged one is made anew, and where the cache cannot be written it lives in memory.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import CacheUnusable
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import text_files
from bugloss.run.cache import cache_folder, writable

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]+|\d+")
_LABEL_WEIGHT = 3


@dataclass(frozen=True, slots=True)
class Hit:
    """A bug found, how well it fits, and the words around the match."""

    bug: str
    score: float
    excerpt: str


def search(entries: Sequence[Entry], text: str, limit: int = 10) -> list[Hit]:
    """Bugs whose report, title, labels or programs hold the words, the best match first."""
    words = _WORD.findall(text)
    if not words:
        return []
    query = " OR ".join(f'"{word}"' for word in words)
    with closing(_open(entries)) as index:
        rows = index.execute(
            "SELECT bug, bm25(bugs, 0, 8, 4, 2, 1), snippet(bugs, -1, '«', '»', ' … ', 12) FROM bugs"
            " WHERE bugs MATCH ? ORDER BY 2 LIMIT ?",
            (query, limit),
        ).fetchall()
    return [Hit(bug, round(-score, 3), " ".join(excerpt.split())) for bug, score, excerpt in rows]


def similar(entry: Entry, entries: Sequence[Entry], limit: int = 5) -> list[Hit]:
    """The other bugs by cosine similarity of their words; shared labels weigh most."""
    bags = {other.id: _bag(other) for other in (entry, *entries)}
    documents = Counter(word for bag in bags.values() for word in bag)
    rarity = {word: math.log(1 + len(bags) / count) for word, count in documents.items()}
    hits = [
        Hit(other.id, round(_cosine(bags[entry.id], bags[other.id], rarity), 3), _shared_labels(entry, other))
        for other in entries
        if other.id != entry.id
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.bug))[:limit]


def _bag(entry: Entry) -> Counter[str]:
    text = f"{entry.bug.title} {entry.report} {entry.diff()} {entry.bug.oracle.message}".lower()
    bag = Counter(_WORD.findall(text))
    for label in _labels(entry):
        bag[f"label:{label}"] += _LABEL_WEIGHT
    return bag


def _labels(entry: Entry) -> list[str]:
    labels = entry.bug.labels
    chosen = (labels.bug_type, labels.general_type, labels.symptom, labels.fix_pattern, labels.category)
    return [entry.bug.framework.value, *(f"{type(label).__name__}={label.value}" for label in chosen)]


def _shared_labels(first: Entry, second: Entry) -> str:
    shared = [label.split("=")[-1] for label in _labels(first) if label in _labels(second)]
    return ", ".join(dict.fromkeys(shared))


def _cosine(first: Mapping[str, int], second: Mapping[str, int], rarity: Mapping[str, float]) -> float:
    def weights(bag: Mapping[str, int]) -> dict[str, float]:
        return {word: (1 + math.log(count)) * rarity[word] for word, count in bag.items()}

    a, b = weights(first), weights(second)
    product = sum(a[word] * b[word] for word in a.keys() & b.keys())
    lengths = math.sqrt(sum(w * w for w in a.values()) * sum(w * w for w in b.values()))
    return product / lengths if lengths else 0.0


def _open(entries: Sequence[Entry]) -> sqlite3.Connection:
    try:
        path = writable(cache_folder() / "indexes") / f"{_digest(entries)}.sqlite"
    except CacheUnusable:
        return _fill(sqlite3.connect(":memory:"), entries)
    if path.exists():
        index = sqlite3.connect(path)
        try:
            index.execute("SELECT count(*) FROM bugs WHERE bugs MATCH 'torch'").fetchone()
            return index
        except sqlite3.DatabaseError:
            index.close()
            path.unlink()
    return _make(path, entries)


def _make(path: Path, entries: Sequence[Entry]) -> sqlite3.Connection:
    """Built beside its place and moved there whole, so that nobody ever opens half an index."""
    draft = path.with_suffix(f".{os.getpid()}")
    _fill(sqlite3.connect(draft), entries).close()
    draft.replace(path)
    return sqlite3.connect(path)


def _fill(index: sqlite3.Connection, entries: Sequence[Entry]) -> sqlite3.Connection:
    index.execute("CREATE VIRTUAL TABLE bugs USING fts5(bug UNINDEXED, title, labels, report, code, tokenize='porter')")
    for entry in entries:
        labels = " ".join([*_labels(entry), entry.bug.oracle.exception, entry.bug.oracle.message])
        code = "\n".join((entry.program("buggy") / name).read_text() for name in text_files(entry.program("buggy")))
        row = (entry.id, entry.bug.title, labels.replace("=", " ").replace("-", " "), entry.report, code)
        index.execute("INSERT INTO bugs VALUES (?, ?, ?, ?, ?)", row)
    index.commit()
    return index


def _digest(entries: Sequence[Entry]) -> str:
    """Names, sizes and times of the files that the index is made from."""
    content = hashlib.sha256()
    for entry in entries:
        for name in text_files(entry.bug.folder):
            path = entry.bug.folder / name
            facts = path.stat()
            content.update(f"{path} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return content.hexdigest()[:16]
