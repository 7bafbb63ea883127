"""Limits for the sum of a run's processes, where no control group keeps them: a watch from outside, by polling.

What a run can use beyond its limits before it is stopped: every processor of the machine can fill about 2 GB of memory
a second, and the watch looks again before the room that is left could be used up, at the latest after ``SLOWEST`` and
at the earliest after ``QUICKEST``. So the overshoot is at most ``processors * 2 GB/s * QUICKEST``, 80 MB with two
processors and 2.5 GB with 64, plus what is filled while the watch waits for a processor and the kernel carries out the
kill: 10 to 600 MB were seen with two processors and a load of ten. The hard end is the limit of each process
(RLIMIT_AS) times the number of processes, and the reserve of the machine below. Only a control group has no overshoot.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bugloss.core.run import Limits
from bugloss.run.sandbox.cgroups import ControlGroup
from bugloss.run.sandbox.disk import DiskUse
from bugloss.run.sandbox.processes import Family, family, proportional_bytes, resident_bytes

SLOWEST, QUICKEST = 0.1, 0.02
_FILLED_A_SECOND = 2 * 2**30 * (os.cpu_count() or 1)
_SHARE = 4  # a look may cost a quarter of the time until the next, however many processes there are
_PROPORTIONS_LAST = 0.5  # seconds: pages that are written to after a fork stop being shared
_WRAPPERS = 6  # the sandbox's own processes around the program
_RESERVE = 0.02  # of the machine's memory; what no process shows (sockets, page tables) ends here, too


@dataclass(frozen=True, slots=True)
class Excess:
    """A limit that was reached, in words."""

    words: str
    memory: bool = False


@dataclass(slots=True)
class LimitWatch:
    """Looks at one run; the caller asks ``look`` again after ``pause`` seconds."""

    root: int
    limits: Limits
    disk: DiskUse | None = None
    group: ControlGroup | None = None
    count_processes: bool = False
    pause: float = 2 * SLOWEST
    _proportions: tuple[float, int] = field(default=(0.0, 0))

    def look(self) -> Excess | None:
        """The limit that the run has reached by now."""
        start = time.monotonic()
        members = family(self.root)
        used = 0 if self.group is not None else self._memory(members)
        excess = self._excess(members, used)
        room = max(0, self.limits.memory_megabytes * 2**20 - used)
        cost = time.monotonic() - start
        self.pause = max(min(SLOWEST, max(QUICKEST, room / _FILLED_A_SECOND)), _SHARE * cost)
        return excess

    def _excess(self, run: Family, used: int) -> Excess | None:
        limits = self.limits
        if used > limits.memory_megabytes * 2**20:
            return self._too_much_memory()
        if self.group is None and _machine_is_full():
            return Excess("the machine was about to run out of memory", memory=True)
        if self.count_processes and run.threads > limits.processes + _WRAPPERS:
            return Excess(f"it had more than {limits.processes} processes and threads")
        if self.disk is not None and self.disk.look(run.members) > limits.disk_megabytes * 2**20:
            return Excess(f"it wrote more than {limits.disk_megabytes} MB")
        return None

    def last_look(self) -> Excess | None:
        """What the kernel did by itself, once the run is over."""
        return self._too_much_memory() if self.group is not None and self.group.ran_out_of_memory() else None

    def _too_much_memory(self) -> Excess:
        return Excess(f"its processes used more than {self.limits.memory_megabytes} MB of memory", memory=True)

    def _memory(self, run: Family) -> int:
        """Resident memory, or, where that is too much, the share of it that is not counted twice."""
        resident = resident_bytes(run.members)
        if resident <= self.limits.memory_megabytes * 2**20:
            return resident
        looked, saved = self._proportions
        if time.monotonic() - looked > _PROPORTIONS_LAST or resident - saved > self.limits.memory_megabytes * 2**20:
            proportional = proportional_bytes(run.members)
            self._proportions = (time.monotonic(), resident - proportional)
            return proportional
        return resident - saved


def _machine_is_full() -> bool:
    with suppress(OSError, ValueError, KeyError):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()[:3]
        facts = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}
        return facts["MemAvailable"] < _RESERVE * facts["MemTotal"]
    return False
