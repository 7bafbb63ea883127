"""Sizes and times of the files of bugs: whether one of them changed since the index was made.

Files are in groups by what depends on them, because asking the system for forty thousand files takes longer than all
the rest of a search.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

FACTS, REPORT, PROGRAM, FIX = "facts", "report", "program", "fix"
GROUPS = (FACTS, REPORT, PROGRAM, FIX)
_ALWAYS = {"bug.toml", "report.md"}
_PROGRAMS = {"buggy", "fixed"}
_NOT_READ = {"test.py", "original.md", "original.py"}


@dataclass(frozen=True, slots=True)
class Stamp:
    """The files of one bug by group, below the folder of the corpus, and when and how large they were."""

    paths: Mapping[str, Sequence[str]]
    facts: Mapping[str, Sequence[int]]


@dataclass(slots=True)
class Stamps:
    """The files of all bugs in one group, one after the other."""

    paths: list[str] = field(default_factory=list)
    facts: array[int] = field(default_factory=lambda: array("q"))

    def add(self, paths: Iterable[str], facts: Iterable[int]) -> None:
        self.paths.extend(paths)
        self.facts.extend(facts)

    def changed(self, root: str) -> list[str]:
        """The files that are not as they were."""
        now = array("q", facts_of(root, self.paths))
        if now == self.facts:
            return []
        pairs = (slice(at, at + 2) for at in range(0, len(now), 2))
        return [path for path, two in zip(self.paths, pairs, strict=True) if now[two] != self.facts[two]]


def facts_of(root: str, paths: Iterable[str]) -> list[int]:
    """Time and size of each file, in this order; -1 for what does not exist."""
    found: list[int] = []
    look = os.stat
    for path in paths:
        try:
            seen = look(f"{root}/{path}")
        except OSError:
            found += (-1, -1)
        else:
            found += (seen.st_mtime_ns, seen.st_size)
    return found


def stamp_of(root: Path, folder: str) -> Stamp:
    """The stamp of a bug as it is now; to be taken before the bug is read."""
    from bugloss.corpus.unified_diff import bug_files
    from bugloss.corpus.upstream_program import OWN_FILES

    files = {*_ALWAYS, *bug_files(root / folder).names}
    folders = {str(parent) for name in files for parent in PurePosixPath(name).parents} - {"."}
    folders |= _PROGRAMS if folders >= _PROGRAMS else {*_PROGRAMS, OWN_FILES}  # also what is not there yet
    groups: dict[str, list[str]] = {group: [] for group in GROUPS}
    for inside in sorted(files | folders):
        if group := _group_of(inside):
            groups[group].append(f"{folder}/{inside}")
    return Stamp(groups, {group: facts_of(str(root), paths) for group, paths in groups.items()})


def bug_of(path: str) -> str:
    """The folder of the bug, such as ``torch/torch-0003``, to which a file belongs."""
    return "/".join(path.split("/", 2)[:2])


def _group_of(inside: str) -> str:
    if inside == "bug.toml":
        return FACTS
    if inside == "report.md":
        return REPORT
    if inside in _NOT_READ or inside.endswith(".pyc"):
        return ""
    return FIX if inside.split("/", 1)[0] == "fixed" else PROGRAM
