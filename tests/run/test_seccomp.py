"""The filter decides as written, on every processor it is written for; a small machine runs it here."""

from __future__ import annotations

import errno
import re
import struct
from pathlib import Path

import pytest

from bugloss.run.sandbox.seccomp import assemble
from bugloss.run.sandbox.syscalls import LAST_KNOWN, PROCESSORS

ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
HEADERS = {
    "x86_64": (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), Path("/usr/include/asm/unistd_64.h")),
    "aarch64": (Path("/usr/include/asm-generic/unistd.h"),),
}


def decide(name: str, number: int, *arguments: int, audit: int | None = None) -> int:
    """What the kernel would do with a call: the machine of classic BPF, as far as the filter uses it."""
    machine = PROCESSORS[name]
    given = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, audit or machine.audit, 0, *(value % 2**64 for value in given))
    steps, place, held = assemble(machine), 0, 0
    while True:
        step = steps[place]
        place += 1
        tests = {
            0x15: held == step.value,
            0x25: held > step.value,
            0x35: held >= step.value,
            0x45: bool(held & step.value),
        }
        if step.code == 0x20:
            held = struct.unpack_from("<I", data, step.value)[0]
        elif step.code == 0x06:
            return step.value
        else:
            place += step.then if tests[step.code] else step.otherwise


@pytest.fixture(params=PROCESSORS)
def processor(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_plain_calls_are_allowed_and_listed_ones_are_not(processor: str) -> None:
    numbers = PROCESSORS[processor].numbers
    assert decide(processor, 63) == ALLOW
    for name in ("keyctl", "ptrace", "mount", "io_uring_setup", "bpf", "setns", "kexec_load", "open_by_handle_at"):
        assert decide(processor, numbers[name]) == REFUSE | errno.EPERM, name
    for name in ("clone3", "memfd_create", "shmget"):
        assert decide(processor, numbers[name]) == REFUSE | errno.ENOSYS, name


@pytest.mark.parametrize(
    ("name", "arguments", "verdict"),
    [
        ("clone", (0x003D0F00,), ALLOW),  # a thread
        ("clone", (0x01200011,), ALLOW),  # fork
        ("clone", (0x10000011,), REFUSE | errno.EPERM),
        ("unshare", (0x400,), ALLOW),
        ("unshare", (0x80,), REFUSE | errno.EPERM),
        ("unshare", (0x10020000,), REFUSE | errno.EPERM),
        ("personality", (0xFFFFFFFF,), ALLOW),
        ("personality", (0x0040000,), REFUSE | errno.EPERM),
        ("ioctl", (0, 0x5401), ALLOW),
        ("ioctl", (0, 0x5412), REFUSE | errno.EPERM),
        ("ioctl", (0, 0x5412 | 1 << 32), REFUSE | errno.EPERM),  # the kernel reads the lower half alone
        ("socket", (1, 1, 0), ALLOW),
        ("socket", (2 | 1 << 32, 1, 0), ALLOW),
        ("socket", (10, 2, 0), ALLOW),
        ("socket", (16, 3, 0), ALLOW),
        ("socket", (16, 3, 15), REFUSE | errno.EAFNOSUPPORT),
        ("socket", (40, 1, 0), REFUSE | errno.EAFNOSUPPORT),
        ("socketpair", (1, 1, 0), ALLOW),
        ("socketpair", (40, 1, 0), REFUSE | errno.EAFNOSUPPORT),
    ],
)
def test_arguments_decide(processor: str, name: str, arguments: tuple[int, ...], verdict: int) -> None:
    assert decide(processor, PROCESSORS[processor].numbers[name], *arguments) == verdict


def test_other_calling_conventions_and_unknown_calls_are_refused(processor: str) -> None:
    assert decide(processor, 63, audit=0x40000003) == KILL
    assert decide(processor, LAST_KNOWN) == ALLOW
    assert decide(processor, LAST_KNOWN + 1) == REFUSE | errno.ENOSYS
    if processor == "x86_64":
        assert decide(processor, 0x40000000 + 39) == REFUSE | errno.EPERM


def test_numbers_are_those_of_the_kernels_headers(processor: str) -> None:
    header = next((path for path in HEADERS[processor] if path.is_file()), None)
    if header is None:
        pytest.skip("the kernel's headers are not installed")
    listed = {
        found[1]: int(found[2])
        for found in re.finditer(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text(encoding="utf-8"))
    }
    numbers = PROCESSORS[processor].numbers
    assert {name: number for name, number in numbers.items() if listed.get(name, number) != number} == {}
    assert len(numbers.keys() & listed.keys()) > 60


def test_the_filter_is_short_enough_for_the_kernel(processor: str) -> None:
    assert len(assemble(PROCESSORS[processor])) < 4096
