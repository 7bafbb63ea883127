"""The filter of system calls that a subject program runs under, assembled as classic BPF for the kernel's seccomp.

It is a list of what is refused, after Docker's default profile: what reaches beyond the program (keyrings, other
processes, namespaces, mounts, the machine itself), what holds memory where no limit sees it (memfd, System V IPC,
message queues), and large parts of the kernel that no framework needs (io_uring, bpf, rare sockets). Calls that are
newer than the list are unknown to it and answered as by an older kernel.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from bugloss.run.sandbox.syscalls import LAST_KNOWN, PROCESSORS, Processor

_LOAD, _RETURN = 0x20, 0x06
_IF_EQUAL, _IF_GREATER, _IF_AT_LEAST, _IF_ANY_BIT = 0x15, 0x25, 0x35, 0x45
_NUMBER, _PROCESSOR, _ARGUMENTS = 0, 4, 16  # places in the kernel's struct seccomp_data

_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000

_REFUSED = (
    *("keyctl", "add_key", "request_key"),
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open", "userfaultfd"),
    *("setns", "mount", "umount2", "pivot_root", "chroot", "mount_setattr"),
    *("open_tree", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick"),
    *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module"),
    *("create_module", "query_module", "get_kernel_syms"),
    *("reboot", "swapon", "swapoff", "quotactl", "quotactl_fd", "acct", "syslog", "vhangup"),
    *("settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname"),
    *("name_to_handle_at", "open_by_handle_at", "lookup_dcookie", "nfsservctl", "fanotify_init"),
    *("iopl", "ioperm", "modify_ldt", "uselib", "ustat", "sysfs", "_sysctl", "move_pages", "migrate_pages"),
)
# Refused as if the kernel lacked them: callers have another way then. clone3 hides its flags behind a pointer, which a
# filter cannot follow; glibc takes clone instead. The others hold memory that belongs to no process and to no folder.
_MISSING = ("clone3", "memfd_create", "memfd_secret", "shmget", "msgget", "semget", "mq_open")

_NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
_NEW_TIME = 0x80  # for unshare alone: clone reads these bits as a signal
_PERSONALITIES = (0, 0xFFFFFFFF)
_TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_UNIX, _INTERNET, _INTERNET_6, _NETLINK, _ROUTE = 1, 2, 10, 16, 0


@dataclass(frozen=True, slots=True)
class Instruction:
    """One step of the kernel's machine; jumps count the instructions they skip."""

    code: int
    value: int
    then: int = 0
    otherwise: int = 0

    def packed(self) -> bytes:
        return struct.pack("=HBBI", self.code, self.then, self.otherwise, self.value)


def processor() -> Processor | None:
    """The processor this interpreter runs on; None where no filter is written for it."""
    if not sys.platform.startswith("linux") or sys.maxsize < 2**32:
        return None
    return PROCESSORS.get(os.uname().machine)


@cache
def program() -> bytes | None:
    """The filter for this machine, as the kernel takes it."""
    found = processor()
    return None if found is None else b"".join(step.packed() for step in assemble(found))


def assemble(machine: Processor) -> list[Instruction]:
    """The whole filter: which calling convention, which call, and for some calls which arguments."""
    numbers = machine.numbers
    steps = [
        Instruction(_LOAD, _PROCESSOR),
        Instruction(_IF_EQUAL, machine.audit, then=1),
        Instruction(_RETURN, _KILL),
        Instruction(_LOAD, _NUMBER),
    ]
    if machine.foreign is not None:
        steps += [Instruction(_IF_AT_LEAST, machine.foreign, otherwise=1), _refuse(errno.EPERM)]
    steps += [Instruction(_IF_GREATER, LAST_KNOWN, otherwise=1), _refuse(errno.ENOSYS)]
    for name, error in [*((name, errno.EPERM) for name in _REFUSED), *((name, errno.ENOSYS) for name in _MISSING)]:
        if name in numbers:
            steps += _on(numbers[name], [_refuse(error)])
    steps += _on(numbers["clone"], _without_bits(_NAMESPACES))
    steps += _on(numbers["unshare"], _without_bits(_NAMESPACES | _NEW_TIME))
    steps += _on(numbers["personality"], _one_of(0, _PERSONALITIES, errno.EPERM))
    steps += _on(numbers["ioctl"], _none_of(1, _TERMINAL_INPUT))
    steps += _on(numbers["socketpair"], _one_of(0, (_UNIX,), errno.EAFNOSUPPORT))
    steps += _on(numbers["socket"], _sockets())
    return [*steps, Instruction(_RETURN, _ALLOW)]


def _refuse(error: int) -> Instruction:
    return Instruction(_RETURN, _ERRNO | error)


def _on(number: int, block: list[Instruction]) -> list[Instruction]:
    """The block, which must return, for one call alone."""
    return [Instruction(_IF_EQUAL, number, otherwise=len(block)), *block]


def _argument(index: int) -> Instruction:
    """Loads the lower half of an argument: all that the kernel reads of an int or an unsigned int."""
    return Instruction(_LOAD, _ARGUMENTS + 8 * index)


def _without_bits(bits: int) -> list[Instruction]:
    allow = Instruction(_RETURN, _ALLOW)
    return [_argument(0), Instruction(_IF_ANY_BIT, bits, otherwise=1), _refuse(errno.EPERM), allow]


def _one_of(index: int, values: Iterable[int], error: int) -> list[Instruction]:
    block = [_argument(index)]
    for value in values:
        block += [Instruction(_IF_EQUAL, value, otherwise=1), Instruction(_RETURN, _ALLOW)]
    return [*block, _refuse(error)]


def _none_of(index: int, values: Iterable[int]) -> list[Instruction]:
    block = [_argument(index)]
    for value in values:
        block += [Instruction(_IF_EQUAL, value, otherwise=1), _refuse(errno.EPERM)]
    return [*block, Instruction(_RETURN, _ALLOW)]


def _sockets() -> list[Instruction]:
    """Local ones and those of the internet; of netlink only routes, which getaddrinfo asks for."""
    routes = _one_of(2, (_ROUTE,), errno.EAFNOSUPPORT)
    families = _one_of(0, (_UNIX, _INTERNET, _INTERNET_6), errno.EAFNOSUPPORT)
    return [_argument(0), *_on(_NETLINK, routes), *families]
