"""The level ``namespaces``: util-linux's unshare gives no network and a process tree of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache

# The second is for containers, where a fresh /proc may not be mounted.
_ATTEMPTS = (("--net", "--ipc", "--pid", "--mount-proc"), ("--net", "--ipc", "--pid"))


def command() -> list[str] | None:
    """What to write before the program; None where unshare is missing or nothing of it works."""
    program = shutil.which("unshare")
    options = None if program is None else _options(program)
    if program is None or options is None:
        return None
    # The shell is there to be process 1, which no signal of its own kills: the program must be killable.
    return [program, *options, "/bin/sh", "-c", '"$@"; exit $?', "sh"]


@cache
def _options(program: str) -> tuple[str, ...] | None:
    mapping = () if os.geteuid() == 0 else ("--map-current-user",)
    for attempt in _ATTEMPTS:
        options = (*attempt, "--fork", "--kill-child", *mapping)
        try:
            done = subprocess.run([program, *options, "/bin/true"], capture_output=True, timeout=10, check=False)
        except (OSError, subprocess.SubprocessError):
            continue
        if done.returncode == 0:
            return options
    return None
