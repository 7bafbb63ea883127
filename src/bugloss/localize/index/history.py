"""What commits before a moment say about the files of a tree: how often and when each changed, with what, and why.

Commits are read once and kept by their id. Only ancestors of the commit that is asked about are ever looked at, so a
later fix cannot leak into a ranking.
"""

from __future__ import annotations

import json
import math
import re
import struct
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bugloss.core.errors import InvalidInput
from bugloss.localize.index.fact_store import FactStore
from bugloss.localize.index.table import EMPTY, NumberTable
from bugloss.localize.index.tokens import count_terms
from bugloss.localize.repository.objects import Repository

MOST_COMMITS = 3_000  # older ones say little, and a cold start must not read twenty years
_LARGEST_CHANGE = 30  # files; larger commits move or reformat, and tell nothing about one file
_FIX = re.compile(r"\b(?:fix(?:e[sd]|ing)?|bug\w*|resolv\w+|close[sd]?|error|fault|issue|patch|crash\w*)\b", re.I)
_MOST_TOGETHER = 10  # files of a commit; in larger ones they do not belong together
_PARTNERS = 12
_FADES = 90  # days in which a change loses two thirds of its worth
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: when, what its message begins with, and which files it touched (new names)."""

    commit: str
    time: int
    message: str
    paths: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...] = ()

    @property
    def is_fix(self) -> bool:
        return bool(_FIX.search(self.message))


@dataclass(frozen=True, slots=True)
class PathHistory:
    """One file's past."""

    changes: int = 0
    fixes: int = 0
    days_since: float = 10_000.0
    recent: float = 0.0  # changes, each worth less the older it is
    recent_fixes: float = 0.0
    age: float = 10_000.0  # days since its first change
    fix_times: tuple[int, ...] = ()


_NOTHING = PathHistory()


@dataclass(frozen=True, slots=True)
class History:
    """The past of a tree's files, numbered as in its index, up to a moment; empty where there is none to read."""

    now: int = 0
    commits: int = 0
    files: Mapping[int, PathHistory] = field(default_factory=dict)
    words: NumberTable = EMPTY  # terms of commit messages: (file, count) pairs
    lengths: Mapping[int, int] = field(default_factory=dict)  # how many such terms a file has
    together: Mapping[int, Mapping[int, float]] = field(default_factory=dict)  # file → files that changed with it
    change_words: NumberTable = EMPTY  # terms of messages: the numbers of changes
    change_files: Sequence[Sequence[int]] = ()
    change_ages: Sequence[float] = ()  # days
    change_lengths: Sequence[int] = ()  # terms of each message

    def of(self, file: int) -> PathHistory:
        """The past of one file."""
        return self.files.get(file, _NOTHING)

    def to_bytes(self) -> bytes:
        """For keeping."""
        files = {
            at: [p.changes, p.fixes, p.days_since, p.recent, p.recent_fixes, p.age, p.fix_times]
            for at, p in self.files.items()
        }
        changes = [self.change_files, self.change_ages, self.change_lengths]
        head = json.dumps([self.now, self.commits, files, self.lengths, self.together, changes]).encode()
        return struct.pack("<I", len(head)) + head + self.words.to_bytes() + self.change_words.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> History:
        """What was kept."""
        (size,) = struct.unpack_from("<I", data)
        now, commits, files, lengths, together, changes = json.loads(data[4 : 4 + size])
        view = memoryview(data)[4 + size :]
        words, taken = NumberTable.from_bytes(view)
        change_words, _ = NumberTable.from_bytes(view[taken:])
        return cls(
            now,
            commits,
            {int(at): _kept_past(kept) for at, kept in files.items()},
            words,
            {int(at): length for at, length in lengths.items()},
            {int(at): {int(to): weight for to, weight in found.items()} for at, found in together.items()},
            change_words,
            *changes,
        )


def _kept_past(kept: list[Any]) -> PathHistory:
    changes, fixes, days_since, recent, recent_fixes, age, fix_times = kept
    return PathHistory(changes, fixes, days_since, recent, recent_fixes, age, tuple(fix_times))


def read_changes(repository: Repository, commit: str, store: FactStore, most: int = MOST_COMMITS) -> tuple[Commit, ...]:
    """The latest commits up to and with ``commit``, newest first; merges are left out."""
    listed = repository.run("rev-list", "--no-merges", f"--max-count={most}", commit).split()
    missing = sorted(set(listed) - store.known("change", listed))
    try:
        for start in range(0, len(missing), 1_000):
            store.add_changes(_diff(repository, missing[start : start + 1_000]))
    except InvalidInput:
        if not repository.is_partial():  # a clone without the trees of older commits has no history to tell
            raise
    kept = dict(store.changes(listed))
    return tuple(_change(name, kept[name]) for name in listed if name in kept)


def _diff(repository: Repository, commits: Sequence[str]) -> Iterator[tuple[str, object]]:
    """What commits changed; a commit at the border of a shallow clone seems to add everything, and says nothing."""
    arguments = (
        "diff-tree",
        "--stdin",
        "-r",
        "-M100%",
        "--root",
        "--name-status",
        "-z",
        "--no-ext-diff",
        "--no-textconv",
        "--format=%x01%H%x02%ct%x02%P%x02%B%x03",
    )
    output = repository.run(*arguments, given="\n".join(commits) + "\n")
    for piece in output.split("\x01")[1:]:
        head, _, rest = piece.partition("\x03")
        name, time, parents, message = head.split("\x02", 3)
        paths, renamed = _statuses(rest.strip("\n\0").split("\0")) if parents else ([], [])
        small = paths if len(paths) <= 300 else []
        yield name, [int(time), message[:400], small, renamed if small else []]


def _statuses(parts: Sequence[str]) -> tuple[list[str], list[tuple[str, str]]]:
    paths, renamed, at = [], [], 0
    while at + 1 < len(parts):
        status = parts[at].strip()
        if status[:1] in "RC" and at + 2 < len(parts):
            renamed.append((parts[at + 1], parts[at + 2]))
            paths.append(parts[at + 2])
            at += 3
        else:
            paths.append(parts[at + 1])
            at += 2
    return paths, renamed


def _change(name: str, facts: list[object]) -> Commit:
    time, message, paths, renamed = facts
    assert isinstance(time, int) and isinstance(paths, list) and isinstance(renamed, list)
    return Commit(name, time, str(message), tuple(paths), tuple((old, new) for old, new in renamed))


def summarise(changes: Sequence[Commit], paths: Sequence[str], now: int, until: int | None = None) -> History:
    """The past of some files as of ``now``; commits after ``until`` are not looked at."""
    past = _Past()
    for change, touched in _touching(changes, paths, until):
        past.add(change, touched, max(now - change.time, 0) / _DAY)
    together = {
        at: {to: count / len(past.lists[at]) for to, count in found.most_common(_PARTNERS) if to != at}
        for at, found in past.together.items()
    }
    return History(
        now,
        sum(until is None or change.time <= until for change in changes),
        {at: _path_history(found, now) for at, found in past.lists.items()},
        NumberTable.of(_inverted(past.words)),
        {at: found.total() for at, found in past.words.items()},
        together,
        NumberTable.of(past.change_words),
        past.change_files,
        past.change_ages,
        past.change_lengths,
    )


def _touching(changes: Sequence[Commit], paths: Sequence[str], until: int | None) -> Iterator[tuple[Commit, list[int]]]:
    """Changes of our files, newest first, each with the files under the names that they have now."""
    numbers = {path: at for at, path in enumerate(paths)}
    current: dict[str, str] = {}  # an old name → the name that the file has now
    for change in changes:
        names = {current.get(path, path) for path in change.paths}
        for old, new in change.renamed:
            current[old] = current.get(new, new)
        touched = sorted(numbers[name] for name in names if name in numbers)
        if touched and len(change.paths) <= _LARGEST_CHANGE and (until is None or change.time <= until):
            yield change, touched


@dataclass(slots=True)
class _Past:
    """What is gathered while going through the changes."""

    lists: dict[int, list[Commit]] = field(default_factory=dict)
    words: dict[int, Counter[str]] = field(default_factory=dict)
    together: dict[int, Counter[int]] = field(default_factory=dict)
    change_words: dict[str, list[int]] = field(default_factory=dict)
    change_files: list[list[int]] = field(default_factory=list)
    change_ages: list[float] = field(default_factory=list)
    change_lengths: list[int] = field(default_factory=list)

    def add(self, change: Commit, touched: list[int], age: float) -> None:
        terms = count_terms(change.message)
        for term in terms:
            self.change_words.setdefault(term, []).append(len(self.change_files))
        self.change_files.append(touched)
        self.change_ages.append(round(age, 2))
        self.change_lengths.append(len(terms))
        for at in touched:
            self.lists.setdefault(at, []).append(change)
            self.words.setdefault(at, Counter()).update(terms.keys())
            if 1 < len(touched) <= _MOST_TOGETHER:
                self.together.setdefault(at, Counter()).update(touched)


def _inverted(words: Mapping[int, Counter[str]]) -> dict[str, array[int]]:
    found: dict[str, array[int]] = {}
    for at, terms in words.items():
        for term, count in terms.items():
            found.setdefault(term, array("I")).extend((at, count))
    return found


def _path_history(changes: Sequence[Commit], now: int) -> PathHistory:
    ages = [max(now - change.time, 0) / _DAY for change in changes]
    fixes = [age for age, change in zip(ages, changes, strict=True) if change.is_fix]
    return PathHistory(
        len(changes),
        len(fixes),
        round(min(ages), 3),
        round(sum(math.exp(-age / _FADES) for age in ages), 4),
        round(sum(math.exp(-age / _FADES) for age in fixes), 4),
        round(max(ages), 3),
        tuple(change.time for change in changes if change.is_fix),
    )
