"""The level ``bubblewrap``: a file system of its own, read-only but for sized folders in memory, and namespaces.

What the job laid out is in the host's scratch folder. It is shown read-only inside, and copied to memory as the first
step there: nothing that the program writes reaches the host's disk, and its sum is the size of these folders.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from bugloss.core.run import Limits
from bugloss.run.sandbox.rlimits import for_each_process
from bugloss.run.sandbox.room import INSIDE_HOME, INSIDE_WORK, Room
from bugloss.run.sandbox.seccomp import program as seccomp_program

_INPUT = "/subject/input"
_TOP = "/subject"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt/rocm")
# Of /etc what programs, compilers and certificates need; nothing that holds a secret or names this machine's owner.
_ETC = (
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "timezone", "locale.alias"),
    *("passwd", "group", "nsswitch.conf", "host.conf", "gai.conf", "protocols", "services", "networks"),
    *("mime.types", "magic", "os-release", "debian_version", "lsb-release", "fonts", "terminfo", "inputrc"),
    *("ssl/certs", "ssl/openssl.cnf", "ca-certificates.conf", "pki/tls/certs", "pki/ca-trust/extracted"),
)
_COPY = f'cp -R {_INPUT}/work/. {INSIDE_WORK} && cp -R {_INPUT}/home/. {INSIDE_HOME} || exit 125; exec "$@"'


def command(room: Room, limits: Limits) -> list[str] | None:
    """What to write before the program; None where bubblewrap, or a program it needs here, is missing."""
    program, identity = shutil.which("bwrap"), _identity(shutil.which("bwrap"))
    if program is None or identity is None:
        return None
    namespaces, drop = identity
    arguments = [program, *namespaces, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    arguments += ["--unshare-cgroup-try", "--die-with-parent", "--new-session", "--hostname", "sandbox"]
    for mount in _system_mounts():
        arguments += mount
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    arguments += _own_folders(room, limits)
    for folder in _ancestors(room.readable):
        arguments += ["--perms", "0755", "--dir", folder]
    for path in room.readable:
        arguments += ["--ro-bind", str(path), str(path)]
    # What is left is bubblewrap's own tmpfs, whose size is half of the machine's memory.
    arguments += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", INSIDE_WORK]
    if seccomp_program() is not None:
        arguments += ["--seccomp", "{descriptor}"]
    return [*arguments, *drop, "/bin/sh", "-c", _COPY, "sh", *_prlimit(limits)]


def inside(path: Path, room: Room) -> str:
    """How the program sees one of the room's own paths."""
    if path.is_relative_to(room.work):
        return str(INSIDE_WORK / path.relative_to(room.work))
    return str(INSIDE_HOME / path.relative_to(room.home)) if path.is_relative_to(room.home) else str(path)


def _own_folders(room: Room, limits: Limits) -> list[str]:
    """Where the program may write: a third of the limit each for its files, for /tmp and for shared memory."""
    if os.geteuid() == 0:
        _let_others_read(room)
    third = ["--size", str(limits.disk_megabytes * 2**20 // 3), "--tmpfs"]
    arguments = ["--perms", "0755", *third, _TOP, "--perms", "0755", "--dir", _INPUT]
    for place in (INSIDE_WORK, INSIDE_HOME):  # as root the program has another user id than the folders
        arguments += ["--perms", "1777", "--dir", place]
    for place in ("/tmp", "/dev/shm"):  # anyone may write there, as on any system: semaphores lie in /dev/shm
        arguments += ["--perms", "1777", *third, place]
    for name, folder in (("work", room.work), ("home", room.home)):
        arguments += ["--ro-bind", str(folder), f"{_INPUT}/{name}"]
    hosts = room.scratch / "hosts"  # this machine's own file may name others
    hosts.write_text("127.0.0.1 localhost sandbox\n::1 localhost sandbox\n", encoding="ascii")
    hosts.chmod(0o644)
    return [*arguments, "--ro-bind", str(hosts), "/etc/hosts"]


def _let_others_read(room: Room) -> None:
    """Whatever the umask is: inside, another user id copies these files. The scratch folder itself stays closed."""
    for top in (room.work, room.home):
        for root, _, names in os.walk(top):
            os.chmod(root, 0o755)  # noqa: PTH101
            for name in names:
                os.chmod(os.path.join(root, name), 0o644)  # noqa: PTH101


def _ancestors(paths: Iterable[Path]) -> list[str]:
    """The folders above the paths, outermost first: bubblewrap would make them unreadable for others."""
    above = {folder for path in paths for folder in path.parents}
    return sorted(str(folder) for folder in above if folder != Path("/") and not _is_system(folder))


def _is_system(folder: Path) -> bool:
    return any(folder.is_relative_to(place) for place in _SYSTEM)


def _identity(program: str | None) -> tuple[list[str], list[str]] | None:
    """Options and a command that leave the program no powers inside; None where the command is missing.

    Limits on processes do not bind in a user namespace that root made, so for root there is none: the
    program is given a user id of its own instead, which also keeps the counts of parallel runs apart.
    """
    if program is None:
        return None
    if os.geteuid() != 0:
        nested = ["--disable-userns"] if _knows(program, "--disable-userns") else []
        return ["--unshare-user", *nested, "--cap-drop", "ALL"], []
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return None
    identity = str(200_000 + secrets.randbelow(100_000))
    drop = ["--reuid", identity, "--regid", identity, "--clear-groups", "--no-new-privs", "--bounding-set", "-all"]
    return [], [setpriv, *drop]


@cache
def _knows(program: str, option: str) -> bool:
    """Whether this release of bubblewrap has an option (0.8 brought --disable-userns)."""
    try:
        done = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return option in done.stdout + done.stderr


def _system_mounts() -> Iterator[list[str]]:
    for place in _SYSTEM:
        path = Path(place)
        if path.is_symlink():
            yield ["--symlink", str(path.readlink()), place]
        elif path.is_dir():
            yield ["--ro-bind", place, place]
    folders = {"/etc", *(f"/etc/{parent}" for name in _ETC for parent in Path(name).parents if parent.name)}
    for folder in sorted(folders):
        yield ["--perms", "0755", "--dir", folder]
    for name in _ETC:
        yield ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]


def _prlimit(limits: Limits) -> list[str]:
    """Set inside, on the program alone: the count of processes is that of the namespace or user id in there."""
    program = shutil.which("prlimit")
    if program is None:
        return []
    wanted = for_each_process(limits, shared_count=False)
    return [program, *(f"--{name}={most}" for name, (_, most) in wanted.items())]
