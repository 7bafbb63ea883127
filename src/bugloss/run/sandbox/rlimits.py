"""Limits that the system keeps for each process of a run."""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from pathlib import Path

from bugloss.core.run import Limits


def for_each_process(limits: Limits, *, shared_count: bool) -> dict[str, tuple[int, int]]:
    """The limits by prlimit's name for them: kind and value, never above what this process may set.

    With ``shared_count`` the system counts all that this user runs, browser and all, so that comes on top.
    """
    processes = limits.processes + (_threads_of(os.getuid()) if shared_count else 0)
    wanted = {
        "as": (resource.RLIMIT_AS, limits.memory_megabytes * 2**20),
        "nproc": (resource.RLIMIT_NPROC, processes),
        "fsize": (resource.RLIMIT_FSIZE, limits.file_megabytes * 2**20),
        "core": (resource.RLIMIT_CORE, 0),
    }
    return {name: (kind, _allowed(kind, most)) for name, (kind, most) in wanted.items()}


def _threads_of(user: int) -> int:
    """How many threads this user runs now, as far as /proc shows."""
    threads = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if process.stat().st_uid == user:
                threads += len(os.listdir(process / "task"))
    return threads


def _allowed(kind: int, most: int) -> int:
    hard = resource.getrlimit(kind)[1]
    return most if hard == resource.RLIM_INFINITY else min(most, hard)
