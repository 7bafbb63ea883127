"""Runs programs in the sandbox from a process of its own: as this user, or, where the tests run as root, as an ordinary one.

As a program: ``other_user.py SOURCE FOLDER`` reads JSON from standard input, a list of jobs, and prints what became of each.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

NOBODY = 65534
SECRET = "secret of the caller"
ABSTRACT = "\0bugloss-canary-"
_KEY_CALLS = {"x86_64": (248, 250), "aarch64": (217, 219)}


@dataclass(frozen=True)
class User:
    """Whose process starts the sandbox: the command that becomes it, and an interpreter that it may read."""

    name: str
    become: tuple[str, ...]
    python: str
    folder: Path

    def start(self, jobs: Sequence[dict[str, Any]]) -> subprocess.Popen[str]:
        source = Path(__file__).resolve().parent.parent / "src"
        command = [*self.become, self.python, "-B", str(self.folder / "driver.py"), str(source), str(self.folder)]
        variables = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "TMPDIR": str(self.folder / "tmp")}
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, env=variables, cwd="/", stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        assert process.stdin is not None
        process.stdin.write(json.dumps(list(jobs)))
        process.stdin.close()
        process.stdin = None
        return process

    def run(self, jobs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        out, err = self.start(jobs).communicate(timeout=300)
        assert out, err
        found: list[dict[str, Any]] = json.loads(out.splitlines()[-1])
        return found


@contextmanager
def user(name: str) -> Iterator[User | str]:
    """A user with a folder of its own; or why there is none."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as top:
        folder = Path(top)
        (folder / "tmp").mkdir()
        shutil.copy(__file__, folder / "driver.py")
        if os.geteuid() != 0:
            yield User(name, (), sys.executable, folder) if name == "ordinary" else "these tests do not run as root"
        elif name == "root":
            yield User(name, (), sys.executable, folder)
        else:
            yield _ordinary(folder)


def _ordinary(folder: Path) -> User | str:
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return "setpriv is missing"
    for place in (folder, folder / "tmp", folder / "driver.py"):
        os.chown(place, NOBODY, NOBODY)
    become = (setpriv, "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups")
    # setpriv starts also what the user could not: the interpreter must be readable to the user itself.
    for python in (str(Path(sys.executable).resolve()), "/usr/bin/python3"):
        look = f"import sys; assert sys.version_info >= (3, 11); open(sys.executable, 'rb').close(); open({__file__!r}).close()"
        if subprocess.run([*become, python, "-c", look], cwd="/", capture_output=True, check=False).returncode == 0:
            return User("ordinary", become, python, folder)
    return f"user {NOBODY} may read no interpreter and checkout here"


# In the other process.


def main(source: str, top: Path) -> None:
    sys.path.insert(0, source)
    from bugloss.core.run import Limits
    from bugloss.run import sandbox
    from bugloss.run.execute import Job, execute

    environment = bare(top)
    (top / ".ssh").mkdir(exist_ok=True)
    (top / ".ssh" / "id_ed25519").write_text(SECRET)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(ABSTRACT + str(os.getpid()))
    listener.listen()
    key = new_key()
    found = []
    for job in json.load(sys.stdin):
        if job["level"] != "limits" and not sandbox.works(job["level"]):
            found.append({"outcome": "level does not work"})
            continue
        (top / "program.py").write_text(job["text"])
        arguments = (json.dumps({"key": key, "listener": os.getpid(), "home": str(top)}), *job.get("arguments", ()))
        limits = Limits(**{"wall_seconds": 30, "memory_megabytes": 1000, **job.get("limits", {})})
        made = Job({"program.py": top / "program.py"}, "program.py", arguments, limits=limits)
        run = execute(made, environment, sandbox.isolation(job["level"]))
        found.append(
            {
                "outcome": run.outcome.value,
                "stopped": run.stopped,
                "seconds": run.seconds,
                "out": run.stdout.text,
                "err": run.stderr.text,
                "key": read_key(key),
            }
        )
    print(json.dumps(found))


def bare(top: Path) -> Any:
    """The interpreter of this process, without packages."""
    from bugloss.run.environment import Environment

    place, real = top / "environment", Path(sys.executable).resolve()
    (place / "bin").mkdir(parents=True, exist_ok=True)
    python = place / "bin" / "python"
    if not python.exists():
        python.symlink_to(real)
    (place / "pyvenv.cfg").write_text(f"home = {real.parent}\n")
    version = ".".join(map(str, sys.version_info[:3]))
    return Environment("0" * 16, "bare", str(python), version, sys.base_prefix, str(place), (), {}, 0.1, 1, "hand")


def new_key() -> int | None:
    """A key in a session keyring of this process; None where the system has no keyrings for us."""
    if os.uname().machine not in _KEY_CALLS:
        return None
    add, control = _KEY_CALLS[os.uname().machine]
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall(control, 1, None)  # a fresh one, so that nothing stays in the user's own
    key = libc.syscall(add, b"user", b"bugloss-canary", SECRET.encode(), len(SECRET), -3)
    return key if key > 0 else None


def read_key(key: int | None) -> str | None:
    if key is None:
        return None
    content = ctypes.create_string_buffer(100)
    libc = ctypes.CDLL(None, use_errno=True)
    length = libc.syscall(_KEY_CALLS[os.uname().machine][1], 11, key, content, 100)
    return content.raw[:length].decode() if length > 0 else None


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
