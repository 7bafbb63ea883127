"""A private PostgreSQL: a cluster in a temporary folder, on a socket there, run by an unprivileged user."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

_HINT = "Debian: apt-get install postgresql"


def _programs() -> Path | None:
    """The folder of initdb and pg_ctl; Debian keeps it off the PATH."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "initdb").exists() and (place / "pg_ctl").exists()), None)


def _as_user(folder: Path) -> list[str]:
    """PostgreSQL refuses to run as root: the folder and the processes then belong to an unprivileged user."""
    if os.geteuid() != 0:
        return []
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(folder, user.pw_uid, user.pw_gid)
        return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    pytest.skip("PostgreSQL does not run as root, and there is no unprivileged user")


@contextmanager
def cluster() -> Iterator[str]:
    """The URL of a fresh server; skips, with the reason, where PostgreSQL is missing."""
    programs = _programs()
    if programs is None:
        pytest.skip(f"PostgreSQL is not installed ({_HINT})")
    folder = Path(tempfile.mkdtemp(prefix="bugloss-pg-"))  # short: the path of a socket has at most 107 characters
    prefix, data = _as_user(folder), folder / "data"
    options = f"-k {folder} -c listen_addresses='' -c fsync=off -c max_connections=60"
    try:
        _run([*prefix, str(programs / "initdb"), "-D", str(data), "-U", "bugloss", "-A", "trust", "-N"], folder)
        start = [str(programs / "pg_ctl"), "-D", str(data), "-w", "-l", str(folder / "log"), "-o", options, "start"]
        _run([*prefix, *start], folder)
        try:
            yield f"postgresql://bugloss@/postgres?host={quote(str(folder), safe='')}"
        finally:
            _run([*prefix, str(programs / "pg_ctl"), "-D", str(data), "-m", "immediate", "stop"], folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=60, check=False)
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stderr[-500:]}")
