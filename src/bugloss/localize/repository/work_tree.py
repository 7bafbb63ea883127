"""Whether a work tree differs from a commit, found without git's help: git would run the repository's filters for it.

The index says what was checked out, with the size and time of each file. Only where those leave a doubt are the bytes
of a file read, as they are stored. A file that a filter rewrites (Git LFS) and that was touched since counts as
changed.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LARGEST_READ = 1_000_000  # bytes; what is larger is judged by its size alone
_ENTRY = re.compile(
    rb"(\d{6}) ([0-9a-f]+) (\d)\t([^\0]+)\0  ctime: \d+:\d+\n  mtime: (\d+):(\d+)\n  dev: \d+\tino: \d+\n"
    rb"  uid: \d+\tgid: \d+\n  size: (\d+)\tflags: ([0-9a-f]+)\n"
)
_NOT_LOOKED_AT = 0x8000 | 1 << 30  # assumed unchanged; not checked out


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A file as it was checked out."""

    path: bytes
    blob: str
    stage: int
    modified: tuple[int, int]
    size: int
    looked_at: bool


def read_index(listing: bytes) -> Iterator[IndexEntry]:
    """The files that ``git ls-files --stage --debug -z`` lists; links and submodules are left out."""
    for found in _ENTRY.finditer(listing):
        mode, blob, stage, path, seconds, nanoseconds, size, flags = found.groups()
        if mode.startswith(b"100"):
            modified, looked_at = (int(seconds), int(nanoseconds)), not int(flags, 16) & _NOT_LOOKED_AT
            yield IndexEntry(path, blob.decode(), int(stage), modified, int(size), looked_at)


def is_changed(entry: IndexEntry, work_tree: Path, indexed: int) -> bool:
    """Whether a file is another than the index says; ``indexed`` is when the index was written (nanoseconds)."""
    path = os.path.join(os.fsencode(work_tree), entry.path)
    try:
        now = os.lstat(path)
    except OSError:
        return True
    if not stat.S_ISREG(now.st_mode):
        return True
    if entry.size and entry.size != now.st_size & 0xFFFFFFFF:
        return True  # a size of 0 says nothing: git writes it where it is in doubt itself
    if entry.size == now.st_size and _is_as_old(entry.modified, now.st_mtime_ns, indexed):
        return False
    return now.st_size <= LARGEST_READ and entry.blob not in _names(path, entry.blob)


def _is_as_old(modified: tuple[int, int], now: int, indexed: int) -> bool:
    """Also older than the index: what changed in the moment of its writing may have kept its size."""
    seconds, nanoseconds = divmod(now, 1_000_000_000)
    return modified in {(seconds, nanoseconds), (seconds, 0)} and now < indexed


def _names(path: bytes, like: str) -> Iterator[str]:
    """The names that git would give to the content: as it is, and with the line ends that a checkout may have set."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    with os.fdopen(handle, "rb") as file:
        content = file.read(LARGEST_READ) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
    yield from blob_names(content, like)


def blob_names(content: bytes, like: str) -> Iterator[str]:
    """The names that git would give to a content, as it is and with plain line ends; ``like`` is a name of its kind."""
    kind = "sha1" if len(like) == 40 else "sha256"
    for text in dict.fromkeys((content, content.replace(b"\r\n", b"\n"))):
        yield hashlib.new(kind, b"blob %d\0" % len(text) + text, usedforsecurity=False).hexdigest()
