"""Wheels of packages that exist as source only.

Building one runs code of the package, its ``setup.py`` or its build backend. That happens in a sandbox that sees no
file and no variable of the user; it has the network, because what a build requires comes from the index. All that
leaves it is the wheel, which is kept by the hash of its source and installed like any other.
"""

from __future__ import annotations

import os
import stat
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.cache import cache_folder
from bugloss.core.errors import BuildFailed, SandboxUnavailable
from bugloss.run import workshop
from bugloss.run.interpreters import PythonInterpreter
from bugloss.run.pip_settings import index_flags, local_places, settings_for_untrusted
from bugloss.stacks.stack import SourcePackage, Stack, project_name

_WALL_SECONDS = 1800


@dataclass(frozen=True, slots=True)
class SourceBuilder:
    """Builds wheels for one interpreter; ``log`` receives what the builds print."""

    uv: str
    interpreter: PythonInterpreter
    log: Callable[[str], None]

    def provide(self, package: SourcePackage) -> Path:
        """The folder that holds the package's wheel, built now if it was not before."""
        digest = package.sha256.removeprefix("sha256:")
        kept = cache_folder() / "wheels" / f"{digest}-{self.interpreter.implementation}-{self.interpreter.version}"
        if not any(kept.glob("*.whl")):
            kept.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix="bugloss-", ignore_cleanup_errors=True) as scratch:
                self._build(package, Path(scratch))
                _keep(_only_wheel(Path(scratch, "wheels"), package), kept)
        return kept

    def _build(self, package: SourcePackage, scratch: Path) -> None:
        (scratch / "requirements.txt").write_text(f"{package.requirement} --hash={package.sha256}\n", encoding="utf-8")
        pip = [self.uv, "tool", "run", "--quiet", "--no-config", "--no-build", "--python", str(self.interpreter.path)]
        pip += [*index_flags(), "--from", "pip", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
        pip.append("--use-pep517")  # the last pip for Python 3.6 would look for setuptools beside itself
        command = [*pip, "--require-hashes", "-r", "requirements.txt", "--wheel-dir", "wheels"]
        settings = settings_for_untrusted()
        if workshop.can_isolate():
            readable = [Path(self.uv).resolve(), self.interpreter.prefix, *local_places(settings)]
            command[0] = str(readable[0])
            command = workshop.confined(command, scratch, readable, network=True)
        elif not package.vetted:
            raise SandboxUnavailable(
                f"{package.requirement} is built from source, and nothing here keeps its code from reading your files.",
                hint="Install bubblewrap (Debian: apt-get install bubblewrap).",
            )
        words = _run(command, scratch, {**settings, **_scratch_variables(scratch)})
        self.log(f"$ {' '.join(command)}\n{words or ''}")
        if words is not None:
            last = next((line for line in reversed(words.splitlines()) if line.strip()), "no output")
            raise BuildFailed(f"{package.requirement} could not be built from source: {last.strip()[:300]}")


def refuse_without_consent(stack: Stack, agreed: bool) -> None:
    """A bug may request that foreign code is run; the user has the last word."""
    named = [package.requirement for package in stack.source_packages() if not package.vetted]
    if named and not agreed:
        raise BuildFailed(
            f"the bug builds {', '.join(named)} from source, which runs code of the package with network access.",
            hint="If you trust it: --allow-source-builds. It runs in a sandbox without access to your files.",
        )


def _scratch_variables(scratch: Path) -> dict[str, str]:
    home = str(scratch)
    return {"PATH": "/usr/bin:/bin", "HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8", "UV_PYTHON_DOWNLOADS": "never"}


def _run(command: list[str], folder: Path, variables: Mapping[str, str]) -> str | None:
    """None when it went well, else what the command said."""
    try:
        done = subprocess.run(
            command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", timeout=_WALL_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"it took more than {_WALL_SECONDS} s"
    return None if done.returncode == 0 else done.stdout + done.stderr


def _only_wheel(folder: Path, package: SourcePackage) -> Path:
    """The one file that a build leaves, if it is what was asked for."""
    found = list(folder.iterdir()) if folder.is_dir() and not folder.is_symlink() else []
    if len(found) != 1 or found[0].suffix != ".whl" or project_name(found[0].name.partition("-")[0]) != package.project:
        raise BuildFailed(f"{package.requirement} was not built into exactly one wheel of that name.")
    return found[0]


def _keep(wheel: Path, folder: Path) -> None:
    """Copies the wheel out, and nothing that a link in its place might lead to."""
    handle = os.open(wheel, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as source:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise BuildFailed(f"the build produced {wheel.name}, which is not a file.")
        draft = folder / f".{os.getpid()}"
        draft.write_bytes(source.read())
    draft.replace(folder / wheel.name)
