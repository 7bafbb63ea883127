"""Environments: keyed by content, built once, shared by all bugs, safe to ask for from two processes.

An environment is in ``<cache>/environments/<digest>``. It counts as built only when ``ready.json`` is there, which is
written last; what a killed build left is removed and built again. A lock file beside the folder keeps two builders
apart.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import os
import platform
import re
import shutil
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from bugloss.core.cache import cache_errors, cache_folder, writable
from bugloss.core.codec import decode, encode
from bugloss.core.documents import parse_json
from bugloss.core.errors import InvalidInput
from bugloss.run import build
from bugloss.run.interpreters import find_interpreter
from bugloss.stacks.stack import Stack

Notify = Callable[[str], None]

_DIGEST = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Environment:
    """A built environment: everything a run or a listing needs to know about it."""

    digest: str
    stack: str
    python: str
    python_version: str
    prefix: str
    path: str
    packages: tuple[str, ...]
    variables: dict[str, str]
    seconds: float
    megabytes: int
    builder: str
    added: tuple[str, ...] = ()  # requirements on top of the stack's
    readable: tuple[str, ...] = ()  # further folders that its programs must see: what it is layered over
    sites: tuple[str, ...] = ()  # where its packages lie, if not only in the usual folder

    @property
    def folders(self) -> tuple[Path, ...]:
        """Everything that a program needs to see of it."""
        return tuple(map(Path, (self.path, self.prefix, *self.readable)))

    @property
    def site_folders(self) -> tuple[Path, ...]:
        """Where its packages lie, those that are found first at the beginning."""
        usual = sorted(Path(self.path).glob("lib/python*/site-packages"))
        return tuple(map(Path, self.sites)) or tuple(usual)

    def has_module(self, name: str) -> bool:
        """Whether a package or module of that name is there."""
        return any(
            (folder / name).is_dir() or next(folder.glob(f"{name}.*"), None) is not None for folder in self.site_folders
        )


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """What a stack's environment consists of with one release of Python, and under which digest."""

    stack: Stack
    python: str  # 3.11: wheels and bytecode serve every patch release, wherever it is installed

    @property
    def digest(self) -> str:
        """Python, packages and platform in sixteen hexadecimal digits."""
        return digest_of(self.python, _machine(), sorted(self.stack.packages), sorted(self.stack.variables.items()))

    @property
    def folder(self) -> Path:
        return environments_folder() / self.digest


def environments_folder() -> Path:
    return cache_folder() / "environments"


def digest_of(*content: object) -> str:
    """The name of an environment's folder: what it is made of, in sixteen hexadecimal digits."""
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


def plan(stack: Stack) -> BuildPlan:
    """The environment that is there, else the one for the first interpreter; MissingInterpreter where there is none."""
    for python in stack.python:
        if built(BuildPlan(stack, python)) is not None:
            return BuildPlan(stack, python)
    return BuildPlan(stack, find_interpreter(stack.python).release)


def built(planned: BuildPlan) -> Environment | None:
    """The environment when it is there and whole, else None."""
    return _read_ready(planned.folder)


def provide(
    stack: Stack, *, offline: bool = False, source_builds: bool = False, notify: Notify = lambda text: None
) -> Environment:
    """The environment of a stack, built now if it is not there yet; ``source_builds`` is the user's consent to them."""
    planned = plan(stack)

    def say(text: str) -> None:
        notify(f"{stack.name}: {text}")

    return obtain(planned.folder, lambda lock: _build(planned, offline, source_builds, say, lock), say)


def obtain(folder: Path, make: Callable[[int], Environment], notify: Notify) -> Environment:
    """The environment of a folder; ``make`` fills it if it is not there, and is given the descriptor of its lock."""
    found = _read_ready(folder)
    if found is None:
        writable(environments_folder())
        with _locked(folder, notify) as lock:
            # Another process may have built it while this one waited for the lock.
            found = _read_ready(folder)
            if found is None:
                if folder.exists():
                    notify("removing the remains of an interrupted build")
                    _delete(folder)
                with cache_errors(folder):
                    found = _keep(folder, make, lock)
    for used in (found.path, *found.readable):
        _touch_used(Path(used))
    return found


def installed() -> Iterator[Environment]:
    """Every whole environment in the cache."""
    for folder in _folders():
        found = _read_ready(folder)
        if found is not None:
            yield found


def forecast_seconds(stack: Stack) -> float:
    """How long a build is likely to take: the last one measured here, else the shipped figure."""
    seconds = float(stack.build_seconds)
    with suppress(OSError):
        history = (cache_folder() / "builds.jsonl").read_text(encoding="utf-8", errors="replace")
        for line in history.splitlines():
            seconds = _seconds_of(line, stack.name) or seconds
    return seconds


def remove(name: str) -> list[Environment]:
    """Removes the environments of a stack, or the one with that digest."""
    chosen = [found for found in installed() if name in {found.stack, found.digest}]
    if not chosen:
        known = sorted({found.stack for found in installed()})
        raise InvalidInput(f"no built environment is called '{name}'.", hint=f"Built: {', '.join(known) or 'none'}.")
    for found in chosen:
        _delete(Path(found.path))
    return chosen


@dataclass(frozen=True, slots=True)
class Pruned:
    """What a pruning took away and what it left."""

    removed: tuple[Environment, ...]
    leftovers: int
    kept_megabytes: int


def prune(budget_megabytes: int, *, dry_run: bool = False) -> Pruned:
    """Removes half-built folders, then the least recently used environments until the budget holds."""
    whole = sorted(installed(), key=lambda found: _last_used(Path(found.path)))
    leftovers = [folder for folder in _folders() if _is_leftover(folder)]
    total = sum(found.megabytes for found in whole)
    removed: list[Environment] = []
    for found in whole:
        if total <= budget_megabytes:
            break
        removed.append(found)
        total -= found.megabytes
    if not dry_run:
        for folder in leftovers:
            with _lock_if_free(folder) as free:
                if free and _read_ready(folder) is None:
                    _delete(folder)
        for found in removed:
            _delete(Path(found.path))
    return Pruned(tuple(removed), len(leftovers), total)


def _build(planned: BuildPlan, offline: bool, source_builds: bool, notify: Notify, lock: int) -> Environment:
    folder, stack = planned.folder, planned.stack
    interpreter = find_interpreter([planned.python])
    builder = build.build(
        folder, interpreter, stack, offline=offline, notify=notify, source_builds=source_builds, keep_open=[lock]
    )
    return Environment(
        digest=planned.digest,
        stack=stack.name,
        python=str(folder / "bin" / "python"),
        python_version=interpreter.version,
        prefix=str(interpreter.prefix),
        path=str(folder),
        packages=stack.packages,
        variables=stack.variables,
        seconds=0.0,
        megabytes=0,
        builder=builder,
    )


def _keep(folder: Path, make: Callable[[int], Environment], lock: int) -> Environment:
    """Fills the folder and writes its record last; what a build cost is noted."""
    start = time.monotonic()
    made = make(lock)
    environment = replace(made, seconds=round(time.monotonic() - start, 1), megabytes=_megabytes(folder))
    _write_ready(folder, environment)
    _remember(environment)
    return environment


def _write_ready(folder: Path, environment: Environment) -> None:
    draft = folder / "ready.json.draft"
    draft.write_text(json.dumps(encode(environment), indent=1), encoding="utf-8")
    draft.replace(folder / "ready.json")


def _read_ready(folder: Path) -> Environment | None:
    """A folder is whole when its record reads well, is about this folder, and its interpreter is still there.

    A record that names another place (a copied or moved cache, a damaged file) must not be believed:
    what it names gets deleted by ``remove`` and ``prune``.
    """
    try:
        environment = decode(Environment, parse_json((folder / "ready.json").read_text(encoding="utf-8")))
        its_own = folder.samefile(environment.path) and Path(environment.python).is_relative_to(environment.path)
    except (OSError, ValueError, RecursionError, InvalidInput):
        return None
    there = its_own and all(Path(folder).is_dir() for folder in environment.readable)
    return environment if there and os.access(environment.python, os.X_OK) else None


@contextmanager
def _locked(folder: Path, notify: Notify) -> Iterator[int]:
    """Holds the build lock; the system lets go of it when the holder and the builders it started are dead."""
    with cache_errors(folder), _lock_path(folder).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            notify("waiting for another process that builds it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.fileno()


@contextmanager
def _lock_if_free(folder: Path) -> Iterator[bool]:
    """Holds the build lock if it is free, and says whether that was so."""
    try:
        lock = _lock_path(folder).open("a")
    except OSError:  # a cache that cannot be written: no process builds there
        yield True
        return
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def _is_leftover(folder: Path) -> bool:
    """Whether a killed build left it: not complete, and no process is at work there."""
    with _lock_if_free(folder) as free:
        return free and _read_ready(folder) is None


def _lock_path(folder: Path) -> Path:
    return folder.with_name(folder.name + ".lock")


def _folders() -> Iterable[Path]:
    """Folders that are named like a digest; anything else there is not ours to delete."""
    root = environments_folder()
    if not root.is_dir():
        return []
    return sorted(entry for entry in root.iterdir() if _DIGEST.fullmatch(entry.name) and entry.is_dir())


def _delete(folder: Path) -> None:
    """The record goes first, so that a deletion cut short leaves a leftover and no broken environment."""
    with cache_errors(folder), suppress(FileNotFoundError):  # another process may be deleting it, too
        (folder / "ready.json").unlink(missing_ok=True)
        shutil.rmtree(folder)


def _touch_used(folder: Path) -> None:
    # A read-only cache still serves; it only forgets which environment was used last.
    with suppress(OSError):
        os.utime(folder / "ready.json")


def _last_used(folder: Path) -> float:
    try:
        return (folder / "ready.json").stat().st_mtime
    except FileNotFoundError:  # removed by another process since it was listed
        return 0.0


def _megabytes(folder: Path) -> int:
    total = 0
    for root, _, names in os.walk(folder):
        total += sum(os.lstat(os.path.join(root, name)).st_size for name in names)
    return round(total / 1e6)


def _machine() -> list[str]:
    return [sysconfig.get_platform(), platform.libc_ver()[0]]


def _remember(environment: Environment) -> None:
    """Notes what a stack's build cost; the environment is whole also where the note cannot be written."""
    if environment.added:
        return
    line = {"stack": environment.stack, "digest": environment.digest, "seconds": environment.seconds}
    with suppress(OSError), (cache_folder() / "builds.jsonl").open("a", encoding="utf-8") as history:
        history.write(json.dumps({**line, "megabytes": environment.megabytes, "builder": environment.builder}) + "\n")


def _seconds_of(line: str, stack: str) -> float | None:
    try:
        entry = parse_json(line)
        seconds = float(entry["seconds"]) if entry["stack"] == stack else math.nan
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    return seconds if 0 < seconds < math.inf else None
