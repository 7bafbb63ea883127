"""What checks of files came to, kept in the user's cache: a file that did not change is not looked at again.

One SQLite file serves all projects and processes. The name of an outcome stands for the file, its place and the
settings; here the version of the rules is added. Where the cache cannot be used, nothing is remembered, and no check
fails for it.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import bugloss
from bugloss.check.running.inspection import FileCheck, all_rules
from bugloss.core.cache import cache_folder, writable
from bugloss.core.codec import decode, encode
from bugloss.core.errors import CacheUnusable, InvalidInput

MOST_OUTCOMES = 100_000
_DAY = 86_400
_AT_ONCE = 500
_SECONDS_TO_WAIT = 2.0


class CheckMemory:
    """A ``Memory`` for outcomes of the rules that are installed now."""

    def __init__(self) -> None:
        self._revision = _revision()

    def recall(self, names: Sequence[str]) -> Mapping[str, FileCheck]:
        """The outcomes that are known; those that cannot be read are not."""
        keys = {self._key(name): name for name in names}
        found: dict[str, FileCheck] = {}
        with suppress(sqlite3.Error, OSError, CacheUnusable), _store() as store:
            for part in _parts(list(keys)):
                marks = ",".join("?" * len(part))
                for key, text in store.execute(f"SELECT name, outcome FROM outcomes WHERE name IN ({marks})", part):
                    with suppress(ValueError, InvalidInput):
                        found[keys[key]] = decode(FileCheck, json.loads(text))
        return found

    def keep(self, outcomes: Mapping[str, FileCheck]) -> None:
        """Remembers outcomes; the oldest are forgotten when there are too many."""
        if not outcomes:
            return
        today = int(time.time()) // _DAY
        rows = [(self._key(name), json.dumps(encode(outcome)), today) for name, outcome in outcomes.items()]
        with suppress(sqlite3.Error, OSError, CacheUnusable), _store() as store, store:
            store.executemany("INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?)", rows)
            (count,) = store.execute("SELECT count(*) FROM outcomes").fetchone()
            if count > MOST_OUTCOMES:
                store.execute(
                    "DELETE FROM outcomes WHERE name IN (SELECT name FROM outcomes ORDER BY day LIMIT ?)",
                    (count - MOST_OUTCOMES // 2,),
                )

    def _key(self, name: str) -> str:
        return hashlib.sha256(f"{self._revision} {name}".encode()).hexdigest()


def check_memory() -> CheckMemory | None:
    """The memory; none where rules of others are installed, whose changes cannot be seen from here."""
    return CheckMemory() if all(type(rule).__module__.startswith("bugloss.") for rule in all_rules()) else None


def _revision() -> str:
    """Changes whenever the code or the data of ``check`` do."""
    folder = Path(bugloss.__file__).parent / "check"
    facts = [(path.as_posix(), path.stat()) for path in sorted(folder.rglob("*")) if path.suffix != ".pyc"]
    listed = ";".join(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in facts if "__pycache__" not in name)
    return hashlib.sha256(f"{bugloss.__version__} {sys.version} {listed}".encode()).hexdigest()


@contextmanager
def _store() -> Iterator[sqlite3.Connection]:
    """The open store; one that is damaged is thrown away."""
    path = writable(cache_folder()) / "checks.sqlite"
    with closing(sqlite3.connect(path, timeout=_SECONDS_TO_WAIT)) as store:
        try:
            store.execute("CREATE TABLE IF NOT EXISTS outcomes (name TEXT PRIMARY KEY, outcome TEXT, day INTEGER)")
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            path.unlink(missing_ok=True)
            raise
        yield store


def _parts(keys: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Few enough for one question to SQLite."""
    for start in range(0, len(keys), _AT_ONCE):
        yield tuple(keys[start : start + _AT_ONCE])
