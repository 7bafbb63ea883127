"""Scratch folders that do not outlive their owners by more than one command.

The owner of a scratch folder holds a lock on it as long as it lives; the system releases the lock of whoever is
killed. The next command that needs a scratch folder removes those of this user that no process holds.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from bugloss.core.errors import EnvironmentFailure

PREFIX = "bugloss-run-"
# A folder has this name until it is locked; the moment in between is short.
_UNLOCKED = "bugloss-new-"  # the number of the process that makes it follows


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for this process alone, removed afterwards whatever happens."""
    place = tempfile.gettempdir()
    _sweep_once(place)
    try:
        folder, lock = _locked_folder(place)
    except OSError as error:
        raise EnvironmentFailure(
            f"no temporary folder can be created in {place}: {error.strerror}.",
            hint="Free some space there, or set another folder: export TMPDIR=/path",
        ) from error
    try:
        yield folder
    finally:
        _remove(folder)
        os.close(lock)


def _locked_folder(place: str) -> tuple[Path, int]:
    """A new folder and the lock on it, which was taken before the folder got a name that is swept."""
    new = Path(tempfile.mkdtemp(prefix=f"{_UNLOCKED}{os.getpid()}-", dir=place))
    lock = os.open(new, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    with suppress(OSError):  # a file system without locks: the folder is never swept then, either
        fcntl.flock(lock, fcntl.LOCK_EX)
    folder = new.with_name(new.name.replace(_UNLOCKED, PREFIX, 1))
    return new.rename(folder), lock


@cache
def _sweep_once(place: str) -> None:
    """Once in the life of a process is enough, and costs little."""
    sweep(Path(place))


def sweep(place: Path) -> None:
    """Removes scratch folders of this user whose owners are dead."""
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if entry.name.startswith((PREFIX, _UNLOCKED)):
                with suppress(OSError):
                    _remove_if_dead(Path(entry.path))


def _remove_if_dead(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        facts = os.fstat(handle)
        if facts.st_uid == os.geteuid() and not _is_being_made(folder.name):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(folder)
    finally:
        os.close(handle)


def _is_being_made(name: str) -> bool:
    """Whether the process that makes the folder is about to lock it."""
    maker = name.removeprefix(_UNLOCKED).partition("-")[0]
    return name.startswith(_UNLOCKED) and maker.isdecimal() and Path("/proc", maker).exists()


def _remove(folder: Path) -> None:
    """Everything, also what the program closed to us. Links are removed and not followed.

    Folders are moved up before they are emptied: however deep the program nested them, no path gets long.
    """
    mark, number = secrets.token_hex(8), 0
    waiting = [str(folder)]
    for place in waiting:
        for entry in _entries(place):
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    number += 1
                    target = str(folder / f"{mark}-{number}")
                    os.chmod(entry.path, 0o700)  # noqa: PTH101
                    os.rename(entry.path, target)  # noqa: PTH104
                    waiting.append(target)
                else:
                    os.unlink(entry.path)  # noqa: PTH108
    for place in reversed(waiting):
        with suppress(OSError):
            os.rmdir(place)  # noqa: PTH106


def _entries(place: str) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(place) as entries:
        return list(entries)
    return []
