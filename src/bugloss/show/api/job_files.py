"""What a job wrote into its folder: names and sizes, and the content of one file."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bugloss.core.errors import FileRefused
from bugloss.core.foreign_file import read_bytes
from bugloss.record.store.job_queue import UnknownRecord

_MOST_FILES = 500
_LARGEST = 50_000_000


@dataclass(frozen=True, slots=True)
class JobFile:
    """A file of a job, named from the job's folder."""

    path: str
    bytes: int


def files_of(folder: Path) -> list[JobFile]:
    """The plain files of a job's folder; recorded runs, which are hidden, have pages and addresses of their own."""
    return sorted(islice(_walk(folder), _MOST_FILES), key=lambda file: file.path)


def _walk(folder: Path) -> Iterator[JobFile]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            path = Path(place, name)
            try:
                facts = path.lstat()
            except OSError:
                continue
            if stat.S_ISREG(facts.st_mode) and not name.startswith("."):
                yield JobFile(path.relative_to(folder).as_posix(), facts.st_size)


def content_of(folder: Path, path: str) -> bytes:
    """One of these files; any other name is not there, whether or not such a file exists."""
    if any(not part or part.startswith(".") for part in path.split("/")):
        raise UnknownRecord("the job has no such file.")
    try:
        return read_bytes(folder, path, _LARGEST)
    except FileRefused as error:
        raise UnknownRecord("the job has no such file.") from error
