"""How much a run holds on disk, where nothing but a watch limits the sum."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bugloss.run.sandbox.processes import nameless_files

_AT_LEAST_EVERY = 0.5
_SHARE = 100  # one part in so many of the time goes into adding up files
_FILES_AT_ONCE = 2000  # some milliseconds: the memory is not checked meanwhile
_LEAST = 4096  # a file without content occupies an inode

File = tuple[int, int]  # device and number
_HIDDEN: File = (-1, -1)


@dataclass(slots=True)
class DiskUse:
    """Blocks of the scratch folder and of files that are open without a name.

    Files are added up when the file system lost as much room as would fill a quarter of what is left of the limit, and
    from time to time, because others may free as much as the program takes. A process may hide which files it has open
    (prctl with PR_SET_DUMPABLE; our own supervisor does): where another one does, what the file system lost is counted.
    """

    folder: Path
    limit: int
    _used: int = 0
    _free_at_first: int = -1
    _free: int = -1
    _next: float = 0.0
    _begun: float = 0.0
    _counting: Iterator[tuple[File, int]] | None = None
    _found: dict[File, int] = field(default_factory=dict)

    def look(self, members: Iterable[int]) -> int:
        """Bytes in use, as of the last time it was worth to add them up."""
        if self._counting is None and self._worth_it():
            self._begun, self._free = time.monotonic(), _free_bytes(self.folder)
            nameless = nameless_files(members)
            self._found = dict(nameless.files)
            self._free_at_first = max(self._free, self._free_at_first)
            if nameless.hiding > 1:
                self._found[_HIDDEN] = self._free_at_first - self._free
            self._counting = _blocks(self.folder)
        if self._counting is not None:
            self._count_on(self._counting)
        return self._used

    def _worth_it(self) -> bool:
        lost = self._free - _free_bytes(self.folder)
        return self._free < 0 or lost > (self.limit - self._used) / 4 or time.monotonic() >= self._next

    def _count_on(self, counting: Iterator[tuple[File, int]]) -> None:
        for _ in range(_FILES_AT_ONCE):
            counted = next(counting, None)
            if counted is None:
                now = time.monotonic()
                self._used, self._counting = sum(self._found.values()), None
                self._next = now + max(_AT_LEAST_EVERY, _SHARE * (now - self._begun))
                return
            self._found[counted[0]] = counted[1]
        self._used = max(self._used, sum(self._found.values()))


def _free_bytes(folder: Path) -> int:
    with suppress(OSError):
        facts = os.statvfs(folder)
        return facts.f_bfree * facts.f_frsize
    return 0


def _blocks(folder: Path) -> Iterator[tuple[File, int]]:
    """Every file below the folder and its bytes; links are not followed."""
    waiting = [str(folder)]
    while waiting:
        place = waiting.pop()
        try:
            entries = _entries(place)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # folders too deep to be read
                yield _HIDDEN, 2**63
            continue
        with entries:
            for entry in entries:
                with suppress(OSError):
                    facts = entry.stat(follow_symlinks=False)
                    yield (facts.st_dev, facts.st_ino), max(_LEAST, facts.st_blocks * 512)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)


def _entries(place: str) -> os._ScandirIterator[str]:
    try:
        return os.scandir(place)
    except PermissionError:  # the program closed its own folder to us
        os.chmod(place, 0o700)  # noqa: PTH101
        return os.scandir(place)
