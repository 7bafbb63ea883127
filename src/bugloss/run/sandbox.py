"""Shuts a subject program in: no network, a read-only view of the system, limits.

Three levels, the best that works is used and recorded in every run:

``bubblewrap``  own mount, network, process and IPC namespaces; the program sees the system read-only,
                its own working copy, an empty home and nothing else
``namespaces``  util-linux's unshare: no network, own process tree; files are only guarded by permissions
``limits``      resource limits alone
"""

from __future__ import annotations

import os
import resource
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bugloss.core.errors import InvalidInput, SandboxUnavailable
from bugloss.core.run import Isolation, Limits

LEVELS = ("bubblewrap", "namespaces", "limits")
_READ_ONLY = "read-only system"
INSIDE_WORK = "/subject/work"
INSIDE_HOME = "/subject/home"

_GUARANTEES = {
    "bubblewrap": ("no network", _READ_ONLY, "scratch home", "own process tree", "resource limits"),
    "namespaces": ("no network", "own process tree", "scratch home", "resource limits"),
    "limits": ("scratch home", "resource limits"),
}
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt/rocm")
_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "passwd", "group", "nsswitch.conf", "alternatives")


@dataclass(frozen=True, slots=True)
class Room:
    """What a subject program gets: its working copy, its home, and folders it may read."""

    work: Path
    home: Path
    readable: tuple[Path, ...]


def isolation(level: str | None = None) -> Isolation:
    """The asked-for level, or the best that works here."""
    chosen = level or os.environ.get("BUGLOSS_ISOLATION") or best_level()
    if chosen not in LEVELS:
        raise InvalidInput(f"there is no isolation level '{chosen}'.", hint=f"Known: {', '.join(LEVELS)}.")
    if chosen != "limits" and not works(chosen):
        hint = "Install bubblewrap (Debian: apt-get install bubblewrap), or use --isolation limits."
        raise SandboxUnavailable(f"the isolation level '{chosen}' does not work on this machine.", hint=hint)
    return Isolation(chosen, _guarantees(chosen))


def isolation_for_strangers(level: str | None = None) -> Isolation:
    """For a program that nobody here has read: what keeps the system read-only, or what was asked for by name."""
    chosen = isolation(level)
    if level or os.environ.get("BUGLOSS_ISOLATION") or guards_files(chosen):
        return chosen
    raise SandboxUnavailable(
        "a stranger's program is to run, and nothing on this machine would keep it from your files.",
        hint="Install bubblewrap (Debian: apt-get install bubblewrap), or take the risk: --isolation " + chosen.level,
    )


def guards_files(chosen: Isolation) -> bool:
    """Whether a program at this level can neither read nor write the files of the user."""
    return _READ_ONLY in chosen.guarantees


def _guarantees(level: str) -> tuple[str, ...]:
    """What the level promises here: nothing that the machine lacks the program for."""
    missing = "" if shutil.which("prlimit") else "resource limits"
    return tuple(promise for promise in _GUARANTEES[level] if promise != missing)


@cache
def best_level() -> str:
    """The first level that works on this machine."""
    return next(level for level in LEVELS if level == "limits" or works(level))


@cache
def works(level: str) -> bool:
    """Tries the level with a program that does nothing."""
    with tempfile.TemporaryDirectory(prefix="bugloss-") as scratch:
        room = Room(Path(scratch), Path(scratch), ())
        prefix = _bubblewrap(room, Limits()) if level == "bubblewrap" else _namespaces()
        if prefix is None:
            return False
        try:
            done = subprocess.run([*prefix, "/bin/true"], capture_output=True, timeout=10, check=False)
        except (OSError, subprocess.SubprocessError):
            return False
    return done.returncode == 0


def wrap(command: Sequence[str], room: Room, chosen: Isolation, limits: Limits) -> list[str]:
    """The command line that runs ``command`` in the room; it hands on the variables that it is started with."""
    prefix: list[str] | None = []
    if chosen.level == "bubblewrap":
        prefix = _bubblewrap(room, limits)
    elif chosen.level == "namespaces":
        prefix = _namespaces()
    if prefix is None:
        raise SandboxUnavailable(f"the program behind the isolation level '{chosen.level}' has gone.")
    return [*prefix, *_limits(limits, chosen), *command]


def inside(path: Path, room: Room, chosen: Isolation) -> str:
    """How the program sees one of the room's own paths."""
    if chosen.level != "bubblewrap":
        return str(path)
    if path.is_relative_to(room.work):
        return str(INSIDE_WORK / path.relative_to(room.work))
    return str(INSIDE_HOME / path.relative_to(room.home)) if path.is_relative_to(room.home) else str(path)


def _bubblewrap(room: Room, limits: Limits) -> list[str] | None:
    program, nobody = shutil.which("bwrap"), _as_nobody(room)
    if program is None or nobody is None:
        return None
    arguments = [program, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    arguments += ["--die-with-parent", "--new-session", "--hostname", "sandbox"]
    for mount in _system_mounts():
        arguments += mount
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    for place in ("/tmp", "/dev/shm"):  # anyone may write there, as on any system: semaphores lie in /dev/shm
        arguments += ["--perms", "1777", "--size", str(limits.file_megabytes * 2**20), "--tmpfs", place]
    for folder in _ancestors((*room.readable, Path(INSIDE_WORK))):
        arguments += ["--perms", "0755", "--dir", folder]
    for path in room.readable:
        arguments += ["--ro-bind", str(path), str(path)]
    arguments += ["--bind", str(room.home), INSIDE_HOME, "--bind", str(room.work), INSIDE_WORK, "--chdir", INSIDE_WORK]
    return [*arguments, *nobody]


def _ancestors(paths: Iterable[Path]) -> list[str]:
    """The folders above the paths, outermost first: bubblewrap would make them unreadable for others."""
    above = {folder for path in paths for folder in path.parents}
    return sorted(str(folder) for folder in above if folder != Path("/") and not _is_system(folder))


def _is_system(folder: Path) -> bool:
    return any(folder.is_relative_to(place) for place in _SYSTEM)


def _as_nobody(room: Room) -> list[str] | None:
    """Drops root's powers inside; None where the program for it is missing.

    Limits on processes do not bind in a user namespace that root made, so for root there is none: the
    program is given a user id of its own instead, which also keeps the counts of parallel runs apart.
    """
    if os.geteuid() != 0:
        return ["--unshare-user", "--cap-drop", "ALL"]
    program = shutil.which("setpriv")
    if program is None:
        return None
    identity = str(200_000 + secrets.randbelow(100_000))
    for folder in (room.work, room.home):
        _give(folder, int(identity))
    drop = ["--reuid", identity, "--regid", identity, "--clear-groups", "--no-new-privs", "--bounding-set", "-all"]
    return [program, *drop]


def _give(folder: Path, identity: int) -> None:
    os.chown(folder, identity, identity)
    for root, folders, names in os.walk(folder):
        for name in (*folders, *names):
            os.chown(os.path.join(root, name), identity, identity, follow_symlinks=False)


def _system_mounts() -> Iterator[list[str]]:
    for place in _SYSTEM:
        path = Path(place)
        if path.is_symlink():
            yield ["--symlink", str(path.readlink()), place]
        elif path.is_dir():
            yield ["--ro-bind", place, place]
    for name in _ETC:
        yield ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]


def _namespaces() -> list[str] | None:
    program = shutil.which("unshare")
    if program is None:
        return None
    mapping = [] if os.geteuid() == 0 else ["--map-current-user"]
    # The shell is there to be process 1, which no signal of its own kills: the program must be killable.
    return [program, "--net", "--pid", "--fork", "--kill-child", *mapping, "/bin/sh", "-c", '"$@"; exit $?', "sh"]


def _limits(limits: Limits, chosen: Isolation) -> list[str]:
    """Limits are set inside, on the program alone, and never above what this process may set."""
    program = shutil.which("prlimit")
    if program is None:
        return []
    # Without a namespace of its own the system counts all that this user runs, browser and all.
    processes = limits.processes + (_threads_of(os.getuid()) if chosen.level == "limits" else 0)
    wanted = {
        "as": (resource.RLIMIT_AS, limits.memory_megabytes * 2**20),
        "nproc": (resource.RLIMIT_NPROC, processes),
        "fsize": (resource.RLIMIT_FSIZE, limits.file_megabytes * 2**20),
        "core": (resource.RLIMIT_CORE, 0),
    }
    return [program, *(f"--{name}={_allowed(kind, most)}" for name, (kind, most) in wanted.items())]


def _threads_of(user: int) -> int:
    """How many threads this user runs now, as far as /proc tells."""
    threads = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if process.stat().st_uid == user:
                threads += len(os.listdir(process / "task"))
    return threads


def _allowed(kind: int, most: int) -> int:
    hard = resource.getrlimit(kind)[1]
    return most if hard == resource.RLIM_INFINITY else min(most, hard)
