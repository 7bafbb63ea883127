"""Sum limits that the kernel keeps itself: a control group (version 2) for every run, where this user may make one."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bugloss.core.run import Limits

_MOUNT = Path("/sys/fs/cgroup")
_WRAPPERS = 8  # the sandbox's own processes around the program count as well
_PATIENCE = 2.0  # seconds that dying processes may take until their group can go


@dataclass(frozen=True, slots=True)
class ControlGroup:
    """One run's control group."""

    folder: Path

    def limit(self, limits: Limits, *, files_in_memory: bool) -> None:
        """Files that the program writes to a tmpfs count as its memory, so they are allowed for on top."""
        megabytes = limits.memory_megabytes + (limits.disk_megabytes if files_in_memory else 0)
        self._write("memory.max", str(megabytes * 2**20))
        self._write("pids.max", str(limits.processes + _WRAPPERS))
        for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):
            with suppress(OSError):  # kernels without swap accounting, and before 4.19
                self._write(name, value)

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel killed the run for its memory."""
        with suppress(OSError, ValueError):
            events = dict(line.split() for line in (self.folder / "memory.events").read_text().splitlines())
            return int(events.get("oom_kill", "0")) > 0
        return False

    def remove(self) -> None:
        """Kills whoever is still in the group, and the group."""
        with suppress(OSError):  # before 5.14
            self._write("cgroup.kill", "1")
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            try:
                self.folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.005)
            else:
                return

    def _write(self, name: str, value: str) -> None:
        # Never made where it is missing: that is a kernel without the control.
        with os.fdopen(os.open(self.folder / name, os.O_WRONLY | os.O_TRUNC), "w") as control:
            control.write(value)


def new_group() -> ControlGroup | None:
    """A fresh group below the nearest place that works; None where the watcher has to do."""
    place = _place()
    if place is None:
        return None
    folder = place / f"bugloss-{os.getpid()}-{secrets.token_hex(4)}"
    try:
        folder.mkdir()
    except OSError:
        return None
    return ControlGroup(folder)


@cache
def _place() -> Path | None:
    try:
        membership = Path("/proc/self/cgroup").read_text(encoding="utf-8")
    except OSError:
        return None
    return find_place(_MOUNT, membership)


def find_place(mount: Path, membership: str) -> Path | None:
    """The nearest group above this process that hands memory and process limits to groups made in it."""
    own = next((line[3:] for line in membership.splitlines() if line.startswith("0::")), None)
    if own is None:
        return None
    start = mount / own.lstrip("/")
    for folder in (start, *start.parents):
        if folder == mount.parent:
            break
        if _delegates_limits(folder) and _takes_members(folder):
            return folder
    return None


def _delegates_limits(folder: Path) -> bool:
    try:
        controls = (folder / "cgroup.subtree_control").read_text(encoding="utf-8").split()
    except OSError:
        return False
    return {"memory", "pids"} <= set(controls)


def _takes_members(folder: Path) -> bool:
    """Making a group needs the folder, moving a process into it the members' list of the common ancestor."""
    return os.access(folder, os.W_OK) and os.access(folder / "cgroup.procs", os.W_OK)
