"""What is in a folder that somebody else made: its regular files, and what is left alone and why.

Nothing is opened here: the files are read through ``foreign_file`` when their content is needed. Folders are visited
level by level, so that where a limit ends the walk the nearest files have been seen.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.foreign_file import ForeignFile, kind_of

MOST_FILES, MOST_BYTES, DEEPEST = 5_000, 200_000_000, 40
_ENTRIES_PER_FILE = 10  # of every ten entries that may be looked at, one may be a file that counts


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """An entry that is not read, and why; a name that ends in ``/`` is that of a folder."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class FolderContent:
    """The files of a folder with their sizes, by name, and what was left alone."""

    files: tuple[tuple[ForeignFile, int], ...]
    left_alone: tuple[LeftAlone, ...]

    @property
    def names(self) -> list[str]:
        return [file.name for file, _ in self.files]


def content_of(
    root: Path,
    *,
    skip: Callable[[os.DirEntry[str]], bool] = lambda entry: False,
    most_files: int = MOST_FILES,
    most_bytes: int = MOST_BYTES,
    deepest: int = DEEPEST,
) -> FolderContent:
    """The regular files below a folder; ``skip`` says which entries are not even named. Missing folders are empty."""
    files: list[tuple[ForeignFile, int]] = []
    left: list[LeftAlone] = []
    total = 0
    too_much = f"the folder contains more than {most_files} files or {most_bytes // 1_000_000} MB"
    for name, size, why in _entries(root, skip, most_files * _ENTRIES_PER_FILE, deepest):
        if why or len(files) >= most_files or total + size > most_bytes:
            left.append(LeftAlone(name, why or too_much))
        else:
            total += size
            files.append((ForeignFile(root, name, most_bytes), size))
    return FolderContent(tuple(sorted(files, key=lambda found: found[0].name)), tuple(left))


def _entries(
    root: Path, skip: Callable[[os.DirEntry[str]], bool], most: int, deepest: int
) -> Iterator[tuple[str, int, str]]:
    """Name, size and why it is left alone, of everything that is not a folder."""
    level, depth, seen = [""], 0, 0
    real_root = os.path.realpath(root)
    while level:
        below: list[str] = []
        for folder in level:
            for entry in _listed(root / folder):
                seen += 1
                if seen > most:
                    yield folder, 0, f"more than {most} entries were found before it"
                    return
                if skip(entry):
                    continue
                name = f"{folder}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    below.append(f"{name}/")
                else:
                    yield (name, *_examined(entry, real_root))
        depth += 1
        if depth > deepest:
            yield from ((name, 0, f"it is nested more than {deepest} folders deep") for name in below)
            return
        level = below


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _examined(entry: os.DirEntry[str], real_root: str) -> tuple[int, str]:
    """The size of a file, or why it is none that is read."""
    try:
        found = entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(found.st_mode):
            real = os.path.realpath(entry.path)
            if not real.startswith(f"{real_root.rstrip('/')}/"):
                return 0, "it is a link that points outside the folder"
            found = os.lstat(real)
            if stat.S_ISDIR(found.st_mode):
                return 0, "it is a link to a folder"
    except OSError as error:
        return 0, error.strerror or str(error)
    return (found.st_size, "") if stat.S_ISREG(found.st_mode) else (0, f"it is a {kind_of(found.st_mode)}, not a file")
