"""A user's own interpreter as an environment: what it is, which modules it has, and what of it a sandbox must show.

The interpreter is asked in a process of its own, as the user would start it; no module that is asked for is imported.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.documents import parse_json
from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.run.environment import Environment, digest_of
from bugloss.stacks.stack import project_name

_QUESTION = """
import importlib.util, json, site, sys
user = site.getuserbase() if site.ENABLE_USER_SITE else None
found = dict((name, importlib.util.find_spec(name) is not None) for name in sys.argv[1:])
facts = dict(version=list(sys.version_info[:3]), executable=sys.executable, prefix=sys.prefix, user=user, modules=found)
print(json.dumps(dict(facts, base=sys.base_prefix, path=[entry for entry in sys.path if entry])))
"""
_DISTRIBUTION = re.compile(r"([\w.]+)-(\d[\w.!+]*)(?:-py[\d.]+)?\.(?:dist|egg)-info")


@dataclass(frozen=True, slots=True)
class OwnPython:
    """An interpreter, the modules that were asked for and are there, and the environment that it makes."""

    environment: Environment
    modules: frozenset[str]

    def release(self, package: str) -> str | None:
        """The installed release of a package."""
        pins = (pin.partition("==") for pin in self.environment.packages)
        return next((release for name, _, release in pins if name == package), None)


def own_interpreter() -> tuple[str, str]:
    """The interpreter that a user would start by typing ``python``, and how it was found."""
    for variable, words in (
        ("VIRTUAL_ENV", "the active virtual environment"),
        ("CONDA_PREFIX", "the conda environment"),
    ):
        candidate = Path(os.environ.get(variable, ""), "bin", "python")
        if os.environ.get(variable) and candidate.is_file():
            return str(candidate), words
    return shutil.which("python") or shutil.which("python3") or sys.executable, "the interpreter on PATH"


def describe(python: str, modules: Iterable[str] = ()) -> OwnPython:
    """What an interpreter says about itself; an error where it does not start or is older than Python 3.6."""
    found = shutil.which(python) if os.sep not in python else str(Path(python).expanduser().absolute())
    if found is None or not os.access(found, os.X_OK):
        raise InvalidInput(f"there is no interpreter {python}.", hint="Choose one: --python PATH")
    # As the user would start it, but for PYTHON… variables, which a sandboxed program does not get either.
    command = [found, "-E", "-c", _QUESTION, *sorted(modules)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/", check=True)
        facts = parse_json(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise EnvironmentFailure(f"{python} cannot be started.", hint="Choose one: --python PATH") from error
    if tuple(facts["version"]) < (3, 6):
        raise InvalidInput(f"{python} is Python {facts['version'][0]}.{facts['version'][1]}; 3.6 is the oldest.")
    return OwnPython(_environment(facts), frozenset(name for name, there in facts["modules"].items() if there))


def _environment(facts: dict[str, object]) -> Environment:
    version = ".".join(map(str, facts["version"]))  # type: ignore[call-overload]
    prefix, base, user = (str(facts[name] or "") for name in ("prefix", "base", "user"))
    folders = [Path(str(entry)) for entry in facts["path"]]  # type: ignore[attr-defined]
    packages = tuple(sorted(set(_pins(folders))))
    return Environment(
        digest=digest_of("own", str(facts["executable"]), version, packages),
        stack="",
        python=str(facts["executable"]),
        python_version=version,
        prefix=str(Path(base).resolve()),
        path=prefix,
        packages=packages,
        variables={"PYTHONUSERBASE": user} if user and Path(user).is_dir() else {},
        seconds=0.0,
        megabytes=0,
        builder="own",
        readable=tuple(_shown(folders, [Path(prefix), Path(base).resolve()])),
        sites=tuple(str(folder) for folder in folders if folder.name in {"site-packages", "dist-packages"}),
    )


def _shown(folders: Iterable[Path], known: list[Path]) -> Iterator[str]:
    """Folders of its path that lie elsewhere: user packages, projects installed in place; never the home folder."""
    home = Path(os.environ.get("HOME") or "/")
    for folder in folders:
        inside = any(folder.is_relative_to(place) for place in known)
        if folder.is_dir() and not inside and not home.is_relative_to(folder):
            yield str(folder)


def _pins(folders: Iterable[Path]) -> Iterator[str]:
    """What is installed, by the names of the folders that describe it."""
    for folder in folders:
        for entry in _entries(folder):
            if found := _DISTRIBUTION.fullmatch(entry):
                yield f"{project_name(found[1])}=={found[2]}"


def _entries(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
