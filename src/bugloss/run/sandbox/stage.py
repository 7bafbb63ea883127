"""Prepares a process for a subject program, then becomes the command that starts it.

``python -I -S stage.py ORDERS command …`` with ORDERS as JSON. It runs as a file of its own, without this package, so
that it starts quickly; all this must be done in the new process itself and before the program's first instruction:

``parent``     the process to die with: its id
``keyring``    number of the system call keyctl: a session keyring of its own instead of the caller's
``group``      cgroup to enter
``limits``     resource limits, by number: [soft and hard limit]
``descriptor`` a file to open; ``{descriptor}`` in the command becomes its number
``filter``     seccomp filter to run under, together with ``seccomp``, the number of that system call
``supervise``  stay as the parent of all that the program starts, and kill what it leaves behind
"""

# ruff: noqa: PTH123
import ctypes
import json
import os
import resource
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Any, NoReturn

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 36, 38
_JOIN_SESSION_KEYRING = 1
_SET_MODE_FILTER = 1

_LIBC = ctypes.CDLL(None, use_errno=True)


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def main(orders: dict[str, Any], command: list[str]) -> NoReturn:
    supervised = orders.get("supervise", False)
    if "parent" in orders:
        _die_with(orders["parent"], signal.SIGTERM if supervised else signal.SIGKILL)
    if "keyring" in orders:  # refused where the caller's keyring is out of reach anyway, as in containers
        _LIBC.syscall(ctypes.c_long(orders["keyring"]), ctypes.c_long(_JOIN_SESSION_KEYRING), None)
    if "group" in orders:
        with open(os.path.join(orders["group"], "cgroup.procs"), "w") as members:
            members.write("0")
    if "descriptor" in orders:
        handle = os.open(orders["descriptor"], os.O_RDONLY)
        os.set_inheritable(handle, True)
        command = [part.replace("{descriptor}", str(handle)) for part in command]
    if supervised:
        _supervise(orders, command)
    _become(orders, command)


def _become(orders: dict[str, Any], command: list[str]) -> NoReturn:
    for kind, most in orders.get("limits", ()):
        resource.setrlimit(kind, (most, most))
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by this interpreter; the program would inherit it
        signal.signal(ignored, signal.SIG_DFL)
    if "filter" in orders:
        _filter_calls(orders["seccomp"], orders["filter"])
    os.execvp(command[0], command)


def _die_with(parent: int, by: signal.Signals) -> None:
    """The kernel sends the signal when the parent dies; if it died already, nobody is left to wait for us."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(by), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def _filter_calls(number: int, path: str) -> None:
    with open(path, "rb") as source:
        steps = source.read()
    given = _Filter(len(steps) // 8, steps)
    _LIBC.prctl(_PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))
    if _LIBC.syscall(ctypes.c_long(number), ctypes.c_long(_SET_MODE_FILTER), ctypes.c_long(0), ctypes.byref(given)):
        sys.exit(f"the filter of system calls was refused: {os.strerror(ctypes.get_errno())}")


def _supervise(orders: dict[str, Any], command: list[str]) -> NoReturn:
    """Daemons become children of this process instead of the system's, so that none is out of sight."""
    _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))
    signal.signal(signal.SIGTERM, _stopped)
    own = os.getpid()
    program = os.fork()
    if program == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _die_with(own, signal.SIGKILL)
        _become(orders, command)
    _release_streams()
    code = 1
    while True:
        ended, status = os.wait()
        if ended == program:
            code = os.waitstatus_to_exitcode(status)
            break
    _kill_children()
    os._exit(code if code >= 0 else 128 - code)


def _release_streams() -> None:
    """Whoever reads the program's output must see its end when the program closes it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.closerange(3, nothing)
    os.closerange(nothing + 1, 1024)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


def _stopped(number: int, frame: FrameType | None) -> None:
    _kill_children()
    os._exit(128 + number)


def _kill_children() -> None:
    """Until none is left: what a killed process leaves behind becomes a child of this one."""
    while children := _children():
        for child in children:
            os.kill(child, signal.SIGKILL)
        for child in children:
            with suppress(ChildProcessError):
                os.waitpid(child, 0)


def _children() -> list[int]:
    own = str(os.getpid())
    try:
        with open(f"/proc/{own}/task/{own}/children") as listed:
            return [int(child) for child in listed.read().split()]
    except OSError:  # a kernel without that file
        pass
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as facts:
                    parent = facts.read().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if parent == own:
                found.append(int(name))
    return found


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2:])
