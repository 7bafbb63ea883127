"""The processes of a run as /proc shows them: who they are, what they hold, and how to end them all."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Family:
    """A process and all its descendants at one moment, and how many threads they have."""

    members: tuple[int, ...]
    threads: int


def family(root: int) -> Family:
    """The process and its descendants. Orphans stay in it below a namespace's first process or a supervisor."""
    if not _kernel_lists_children():
        return _family_by_parents(root)
    members, threads = [root], 0
    for member in members:
        with suppress(OSError):
            tasks = os.listdir(f"/proc/{member}/task")
            threads += len(tasks)
            for task in tasks:
                members += _children_of(member, task)
    return Family(tuple(members), threads)


def _children_of(process: int, task: str) -> list[int]:
    with suppress(OSError), open(f"/proc/{process}/task/{task}/children", "rb", buffering=0) as listed:  # noqa: PTH123
        return [int(child) for child in listed.read().split()]
    return []


@cache
def _kernel_lists_children() -> bool:
    return Path("/proc/thread-self/children").exists()


def _family_by_parents(root: int) -> Family:
    """The same for a kernel without lists of children: everybody is asked for the parent."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            facts = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()
            children.setdefault(int(facts[1]), []).append(int(name))
    members, threads = [root], 0
    for member in members:
        members += children.get(member, [])
        with suppress(OSError):
            threads += len(os.listdir(f"/proc/{member}/task"))
    return Family(tuple(members), threads)


def resident_bytes(members: Iterable[int]) -> int:
    """Memory that the processes hold, shared pages counted for each of them: quick, and never too little."""
    pages = 0
    for member in members:
        with suppress(OSError, IndexError), open(f"/proc/{member}/statm", "rb", buffering=0) as facts:  # noqa: PTH123
            pages += int(facts.read().split()[1])
    return pages * _PAGE


def proportional_bytes(members: Iterable[int]) -> int:
    """The same with shared pages counted once. A process that does not let us look counts in full."""
    total = 0
    for member in members:
        try:
            lines = Path(f"/proc/{member}/smaps_rollup").read_bytes().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith(b"Pss:")) * 1024
        except (OSError, ValueError):
            total += resident_bytes([member])
    return total


@dataclass(frozen=True, slots=True)
class Nameless:
    """Files that are open but in no folder any more, with their bytes, and how many processes hide what they hold."""

    files: dict[tuple[int, int], int]
    hiding: int


def nameless_files(members: Iterable[int]) -> Nameless:
    """What the processes hold open, by device and number of the file."""
    found: dict[tuple[int, int], int] = {}
    hiding = 0
    for member in members:
        try:
            handles = os.listdir(f"/proc/{member}/fd")
        except PermissionError:
            hiding += 1
            continue
        except OSError:
            continue
        for handle in handles:
            with suppress(OSError):
                facts = os.stat(f"/proc/{member}/fd/{handle}")  # noqa: PTH116
                if stat.S_ISREG(facts.st_mode) and facts.st_nlink == 0:
                    found[facts.st_dev, facts.st_ino] = facts.st_blocks * 512
    return Nameless(found, hiding)


def end_family(root: int) -> None:
    """Kills a process and all below it: first all are halted, so that none starts another meanwhile."""
    halted: set[int] = set()
    while fresh := set(family(root).members) - halted - {root}:
        for member in fresh:
            _send(member, signal.SIGSTOP)
        halted |= fresh
    for member in halted:
        _send(member, signal.SIGKILL)
    _send(root, signal.SIGKILL)


def _send(process: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)
