"""Runs a subject program sandboxed: no network, a read-only view of the system, limits.

Three levels, the best that works is used and recorded in every run:

``bubblewrap``  own mount, network, process and IPC namespaces; the program sees the system read-only,
                its own working copy, an empty home and nothing else
``namespaces``  util-linux's unshare: no network, own process tree; files are only guarded by permissions
``limits``      resource limits alone

At every level system calls are filtered (where a filter is written for the processor), the session keyring is a fresh
one, the limits hold for the sum of the run's processes, and the program dies with the process that started it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bugloss.core.errors import InvalidInput, SandboxUnavailable
from bugloss.core.run import Isolation, Limits
from bugloss.run.sandbox.bubblewrap import command as bubblewrap_command
from bugloss.run.sandbox.bubblewrap import inside as inside_bubblewrap
from bugloss.run.sandbox.disk import DiskUse
from bugloss.run.sandbox.namespaces import command as namespaces_command
from bugloss.run.sandbox.rlimits import for_each_process
from bugloss.run.sandbox.room import INSIDE_HOME, INSIDE_WORK, Room
from bugloss.run.sandbox.scratch import scratch_folder
from bugloss.run.sandbox.seccomp import processor
from bugloss.run.sandbox.seccomp import program as filter_program
from bugloss.run.sandbox.watcher import Excess, LimitWatch

__all__ = [
    "INSIDE_HOME",
    "INSIDE_WORK",
    "LEVELS",
    "NO_NETWORK",
    "Excess",
    "LimitWatch",
    "Room",
    "inside",
    "isolation",
    "works",
    "wrap",
]

LEVELS = ("bubblewrap", "namespaces", "limits")
NO_NETWORK = "no network"
_READ_ONLY = "read-only system"
_FILTERED = "filtered system calls"
_LIMITED = "resource limits"

_GUARANTEES = {
    "bubblewrap": (NO_NETWORK, _READ_ONLY, "scratch home", "own process tree", _LIMITED, _FILTERED),
    "namespaces": (NO_NETWORK, "own process tree", "scratch home", _LIMITED, _FILTERED),
    "limits": ("scratch home", _LIMITED, _FILTERED),
}
_STAGE = str(Path(__file__).with_name("stage.py"))
_LINUX = sys.platform.startswith("linux")


def isolation(level: str | None = None) -> Isolation:
    """The asked-for level, or the best that works here."""
    chosen = level or os.environ.get("BUGLOSS_ISOLATION") or best_level()
    if chosen not in LEVELS:
        raise InvalidInput(f"there is no isolation level '{chosen}'.", hint=f"Known: {', '.join(LEVELS)}.")
    if chosen != "limits" and not works(chosen):
        hint = "Install bubblewrap (Debian: apt-get install bubblewrap), or use --isolation limits."
        raise SandboxUnavailable(f"the isolation level '{chosen}' does not work on this machine.", hint=hint)
    return Isolation(chosen, _guarantees(chosen))


def isolation_for_untrusted(level: str | None = None) -> Isolation:
    """For a program that is not trusted: what keeps the system read-only, or what was asked for by name."""
    chosen = isolation(level)
    if level or os.environ.get("BUGLOSS_ISOLATION") or guards_files(chosen):
        return chosen
    raise SandboxUnavailable(
        "this program is not trusted, and nothing on this machine keeps it from reading your files.",
        hint="Install bubblewrap (Debian: apt-get install bubblewrap), or accept the risk: --isolation " + chosen.level,
    )


def guards_files(chosen: Isolation) -> bool:
    """Whether a program at this level can neither read nor write the files of the user."""
    return _READ_ONLY in chosen.guarantees


def _guarantees(level: str) -> tuple[str, ...]:
    """What the level promises here: nothing that the machine lacks the means for."""
    missing = set()
    if not _LINUX or (level == "bubblewrap" and shutil.which("prlimit") is None):
        missing.add(_LIMITED)
    if filter_program() is None:
        missing.add(_FILTERED)
    return tuple(promise for promise in _GUARANTEES[level] if promise not in missing)


@cache
def best_level() -> str:
    """The first level that works on this machine."""
    return next(level for level in LEVELS if level == "limits" or works(level))


@cache
def works(level: str) -> bool:
    """Tries the level with a program that does nothing."""
    with scratch_folder() as scratch:
        room = Room(scratch / "work", scratch / "home", ())
        room.work.mkdir()
        room.home.mkdir()
        try:
            command = wrap(["/bin/true"], room, Isolation(level), Limits())
            done = subprocess.run(command, capture_output=True, timeout=10, check=False)
        except (OSError, subprocess.SubprocessError, SandboxUnavailable):
            return False
    return done.returncode == 0


def wrap(command: Sequence[str], room: Room, chosen: Isolation, limits: Limits) -> list[str]:
    """The command line that runs ``command`` in the room; it passes on the variables that it is started with."""
    if not _LINUX:
        return list(command)
    if room.group is not None:
        room.group.limit(limits, files_in_memory=chosen.level == "bubblewrap")
    outside, on_program = _outside(room), _on_the_program(room, limits, chosen)
    if chosen.level == "limits":
        return [*_stage(*outside, *on_program, "supervise=yes"), *command]
    if chosen.level == "bubblewrap":
        return [*_stage(*outside, *_descriptor(room)), *_found(chosen, bubblewrap_command(room, limits)), *command]
    return [*_stage(*outside), *_found(chosen, namespaces_command()), *_stage(*on_program), *command]


def watch(process: int, room: Room, chosen: Isolation, limits: Limits) -> LimitWatch:
    """Looks after the limits that nothing else keeps at this level."""
    counted = os.geteuid() == 0 and chosen.level != "bubblewrap"  # the system does not limit root's processes
    in_memory = chosen.level == "bubblewrap"
    disk = None if in_memory else DiskUse(room.scratch, limits.disk_megabytes * 2**20)
    return LimitWatch(process, limits, disk, room.group, counted and room.group is None)


def inside(path: Path, room: Room, chosen: Isolation) -> str:
    """How the program sees one of the room's own paths."""
    return inside_bubblewrap(path, room) if chosen.level == "bubblewrap" else str(path)


def _found(chosen: Isolation, prefix: list[str] | None) -> list[str]:
    if prefix is None:
        raise SandboxUnavailable(f"the program of the isolation level '{chosen.level}' is no longer installed.")
    return prefix


def _stage(*orders: str) -> list[str]:
    return [sys.executable, "-I", "-S", _STAGE, *orders, "--"]


def _outside(room: Room) -> list[str]:
    """Orders for the first process of a run."""
    orders = [f"parent={os.getpid()}"]
    machine = processor()
    if machine is not None:
        orders.append(f"keyring={machine.numbers['keyctl']}")
    return orders if room.group is None else [*orders, f"group={room.group.folder}"]


def _descriptor(room: Room) -> list[str]:
    """Orders for a command that is given the filter as an open file."""
    path = _filter_file(room)
    return [] if path is None else [f"descriptor={path}"]


def _on_the_program(room: Room, limits: Limits, chosen: Isolation) -> list[str]:
    """Orders for the process that becomes the program."""
    wanted = for_each_process(limits, shared_count=chosen.level == "limits")
    orders = [f"limit={kind}:{most}" for kind, most in wanted.values()]
    machine, path = processor(), _filter_file(room)
    if machine is None or path is None:
        return orders
    return [*orders, f"filter={path}", f"seccomp={machine.numbers['seccomp']}"]


def _filter_file(room: Room) -> str | None:
    steps = filter_program()
    if steps is None:
        return None
    path = room.scratch / "filter.bpf"
    path.write_bytes(steps)
    return str(path)
