"""Finds Python interpreters of a wanted version: on PATH, in pyenv's, uv's and conda's folders.

pyenv's shims answer with an error for versions that are not active, so every candidate is asked for
its version before it is believed, and the real path is what is passed on.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bugloss.core.documents import parse_json
from bugloss.core.errors import MissingInterpreter

_CONDA_ROOTS = ("miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", ".conda")

_OLDEST_UV_SERVES = (3, 8)

# Wheels are chosen by implementation and by whether there is a GIL; both belong to the answer.
_QUESTION = (
    "import json, platform, sys; print(json.dumps([list(sys.version_info[:3]), "
    "platform.python_implementation() + ('-nogil' if 't' in getattr(sys, 'abiflags', '') else ''), "
    "getattr(sys, '_base_executable', None) or sys.executable, sys.base_prefix]))"
)


@dataclass(frozen=True, slots=True)
class PythonInterpreter:
    """A Python that answered: its real path, full version and installation prefix."""

    path: Path
    version: str
    implementation: str
    prefix: Path

    @property
    def release(self) -> str:
        """The version without its patch release: 3.11."""
        return ".".join(self.version.split(".")[:2])


def find_interpreter(wanted: Sequence[str]) -> PythonInterpreter:
    """The first interpreter that has one of the wanted versions (``3.11``), in order of preference."""
    for version in wanted:
        for candidate in candidates(version):
            answer = ask(candidate)
            if answer is not None and answer.implementation == "CPython" and _is_version(answer.version, version):
                return answer
    raise MissingInterpreter(
        f"no Python {' or '.join(wanted)} was found on PATH or in the folders of pyenv, uv and conda.",
        hint=f"Install it: {_command_that_gets(wanted[0])}",
    )


def _command_that_gets(version: str) -> str:
    if tuple(map(int, version.split(".")[:2])) >= _OLDEST_UV_SERVES:
        return f"uv python install {version}   (or: pyenv install {version})"
    return f"pyenv install {version}   (or: conda create -n python{version} -c conda-forge python={version})"


def candidates(version: str) -> Iterator[Path]:
    """Paths where a Python of that version may be, each once, the likeliest first."""
    own = [Path(sys.executable)]  # known to work, maybe the only one, and maybe not on PATH
    named = [*_on_path(f"python{version}"), *_in_installations(version)]
    unnamed = [*_on_path("python3"), *_on_path("python")]
    running = _is_version(".".join(map(str, sys.version_info[:3])), version)
    likeliest_first = [*own, *named, *unnamed] if running else [*named, *unnamed, *own]
    seen: set[Path] = set()
    # Each wrong guess costs the start of a process, and a shim's answer that of two: names that promise the version
    # come first, shims last.
    for path in sorted(likeliest_first, key=lambda path: path.parent.name == "shims"):
        # Not Path.exists: that raises where a folder on PATH may not be entered (another user's, under sudo).
        if path not in seen and os.access(path, os.X_OK):
            seen.add(path)
            yield path


@cache
def ask(path: Path) -> PythonInterpreter | None:
    """What an interpreter says about itself; None when it does not run."""
    environment = {name: value for name, value in os.environ.items() if name not in {"PYTHONHOME", "PYTHONPATH"}}
    try:
        done = subprocess.run(
            [str(path), "-I", "-c", _QUESTION], capture_output=True, text=True, timeout=20, env=environment, check=True
        )
        version, implementation, executable, prefix = parse_json(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    # Links are followed: the sandbox shows only the real installation, and a link may go before it does.
    real = Path(executable).resolve()
    return PythonInterpreter(real, ".".join(map(str, version)), implementation, Path(prefix).resolve())


def _on_path(name: str) -> Iterator[Path]:
    for folder in filter(None, os.environ.get("PATH", "").split(os.pathsep)):
        yield Path(folder) / name


def _in_installations(version: str) -> Iterator[Path]:
    for prefix in _prefixes(version):
        yield prefix / "bin" / f"python{version}"


def _prefixes(version: str) -> Iterator[Path]:
    """Folders that may hold an installation of that version, newest patch release first."""
    home = _home()
    named = [
        Path(os.environ.get("PYENV_ROOT") or home / ".pyenv") / "versions",
        Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or home / ".local/share/uv/python"),
    ]
    pattern = re.compile(rf"(?:^|[^0-9.]){re.escape(version)}(?:[^0-9]|$)")
    for folder in named:
        entries = [entry for entry in _entries(folder) if pattern.search(entry.name)]
        yield from sorted(entries, key=lambda entry: _numbers(entry.name), reverse=True)
    conda = [Path(os.environ["CONDA_PREFIX"])] if os.environ.get("CONDA_PREFIX") else []
    for root in (*conda, *(home / name for name in _CONDA_ROOTS)):
        yield root
        yield from _entries(root / "envs")


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # no HOME, and a user id without a name: many containers
        return Path("/")


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _numbers(name: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", name)]


def _is_version(full: str, wanted: str) -> bool:
    return full == wanted or full.startswith(wanted + ".")
