"""Prepares a process for a subject program, then becomes the command that starts it.

``python -I -S stage.py ORDER=VALUE … -- command …``. It runs as a file of its own, without this package and with few
others, so that it starts quickly; all this must be done in the new process itself, before the program's first
instruction:

``parent``      the process to die with: its id
``keyring``     number of the system call keyctl: a session keyring of its own instead of the caller's
``group``       control group to enter
``descriptor``  a file to open; ``{descriptor}`` in the command becomes its number
``supervise``   stay as the parent of all that the program starts, and kill what it leaves behind
``limit``       a resource limit, KIND:VALUE; any number of them
``filter``      a file with the seccomp filter to run under, with ``seccomp``, the number of that system call
"""

# ruff: noqa: PTH123, SIM105
from __future__ import annotations

import ctypes
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 36, 38
_JOIN_SESSION_KEYRING = 1
_SET_MODE_FILTER = 1
# Numbers that are the same on every processor: the module signal would take longer to load than all else here.
_SIGKILL, _SIGPIPE, _SIGTERM, _SIGXFSZ = 9, 13, 15, 25

_LIBC = ctypes.CDLL(None, use_errno=True)


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def main(orders: dict[str, str], limits: list[str], command: list[str]) -> NoReturn:
    supervised = "supervise" in orders
    if "parent" in orders:
        _die_with(int(orders["parent"]), _SIGTERM if supervised else _SIGKILL)
    if "keyring" in orders:  # refused where the caller's keyring is out of reach anyway, as in containers
        _LIBC.syscall(ctypes.c_long(int(orders["keyring"])), ctypes.c_long(_JOIN_SESSION_KEYRING), None)
    if "group" in orders:
        with open(os.path.join(orders["group"], "cgroup.procs"), "w") as members:
            members.write("0")
    if "descriptor" in orders:
        handle = os.open(orders["descriptor"], os.O_RDONLY)
        os.set_inheritable(handle, True)
        command = [part.replace("{descriptor}", str(handle)) for part in command]
    if supervised:
        _supervise(orders, limits, command)
    _become(orders, limits, command)


def _become(orders: dict[str, str], limits: list[str], command: list[str]) -> NoReturn:
    if limits:
        import resource

        for limit in limits:
            kind, most = map(int, limit.split(":"))
            resource.setrlimit(kind, (most, most))
    for ignored in (_SIGPIPE, _SIGXFSZ):  # by this interpreter; the program would inherit it
        _LIBC.signal(ignored, None)
    if "filter" in orders:
        _filter_calls(int(orders["seccomp"]), orders["filter"])
    os.execvp(command[0], command)


def _prctl(option: int, value: int) -> None:
    nothing = ctypes.c_ulong(0)
    _LIBC.prctl(option, ctypes.c_ulong(value), nothing, nothing, nothing)


def _die_with(parent: int, by: int) -> None:
    """The kernel sends the signal when the parent dies; if it has already died, no process waits for us."""
    _prctl(_PR_SET_PDEATHSIG, by)
    if os.getppid() != parent:
        os._exit(1)


def _filter_calls(number: int, path: str) -> None:
    with open(path, "rb") as source:
        steps = source.read()
    given = _Filter(len(steps) // 8, steps)
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    if _LIBC.syscall(ctypes.c_long(number), ctypes.c_long(_SET_MODE_FILTER), ctypes.c_long(0), ctypes.byref(given)):
        sys.exit(f"the filter of system calls was refused: {os.strerror(ctypes.get_errno())}")


def _supervise(orders: dict[str, str], limits: list[str], command: list[str]) -> NoReturn:
    """Daemons become children of this process instead of the system's, so that none is out of sight."""
    import signal

    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGTERM, _stopped)
    own = os.getpid()
    program = os.fork()
    if program == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _die_with(own, _SIGKILL)
        _become(orders, limits, command)
    _release_descriptors()
    while True:
        ended, status = os.wait()
        if ended == program:
            break
    _kill_children()
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def _release_descriptors() -> None:
    """Whoever reads what the program says must see its end when the program closes it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.closerange(3, 4096)


def _stopped(number: int, frame: FrameType | None) -> None:
    _kill_children()
    os._exit(128 + number)


def _kill_children() -> None:
    """Until none is left: what a killed process leaves behind becomes a child of this one."""
    while children := _children():
        for child in children:
            os.kill(child, _SIGKILL)
        for child in children:
            try:
                os.waitpid(child, 0)
            except ChildProcessError:
                pass


def _children() -> list[int]:
    own = str(os.getpid())
    try:
        with open(f"/proc/{own}/task/{own}/children") as listed:
            return [int(child) for child in listed.read().split()]
    except OSError:  # a kernel without that file
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and _parent_of(name) == own]


def _parent_of(process: str) -> str | None:
    try:
        with open(f"/proc/{process}/stat") as facts:
            return facts.read().rpartition(")")[2].split()[1]
    except OSError:
        return None


if __name__ == "__main__":
    given, command_line = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
    pairs = [order.split("=", 1) for order in given]
    main(dict(pairs), [value for name, value in pairs if name == "limit"], command_line)
