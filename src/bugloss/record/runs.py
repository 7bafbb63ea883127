"""Observed runs on disk: one folder each below ``.bugloss/runs``, readable while the program still runs.

<id>/run.json           what was run, where, and how it ended
<id>/events.jsonl       what the probe wrote down
<id>/environment.json   interpreter, framework, machine
<id>/exception.json     the exception that ended it, if one did
<id>/diagnosis.json     symptoms and causes
<id>/report.html        the same for people
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any

from bugloss.core.codec import decode, encode
from bugloss.core.documents import parse_json
from bugloss.core.errors import EnvironmentFailure, FileRefused, InvalidInput
from bugloss.core.foreign_file import read_text
from bugloss.core.run import Isolation, Outcome
from bugloss.core.written_file import write_inside

RUNS = Path(".bugloss", "runs")
EVENTS = "events.jsonl"
_LARGEST_DOCUMENT = 100_000_000


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What was run, where, and how it ended; no exit code means that it has not ended or was killed.

    ``isolation`` is None where it ran in the user's own interpreter, not sandboxed; ``stopped`` names the limit that
    ended it. Without a stack it ran in ``python``. ``entry`` is the script's path below the folder, if not its name.
    """

    script: str
    folder: str
    arguments: tuple[str, ...] = ()
    python: str = ""
    stack: str | None = None
    started_at: str = ""
    outcome: Outcome = Outcome.RUNNING
    exit_code: int | None = None
    seconds: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()  # files of the script's folder that the program did not get, and why
    seal: str = ""  # proves that this user recorded the run; see workflows/run_seal.py
    isolation: Isolation | None = None
    stopped: str | None = None
    entry: str = ""
    module: str | None = None  # started with ``python -m``
    added: tuple[str, ...] = ()  # packages on top of the stack or the interpreter
    reason: str = ""  # why it ran there
    notes: tuple[str, ...] = ()  # what is to be known of the environment
    curves: str = ""  # the kind of log that the run was read from, instead of being observed

    @property
    def script_inside(self) -> str:
        """The script's path below the folder."""
        return self.entry or PurePath(self.script).name


class RunFolder:
    """The folder of one observed run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def id(self) -> str:
        return self.path.name

    @property
    def events(self) -> Path:
        return self.path / EVENTS

    @property
    def report(self) -> Path:
        return self.path / "report.html"

    def write_facts(self, facts: RunFacts) -> None:
        self.write("run.json", encode(facts))

    def facts(self) -> RunFacts:
        try:
            return decode(RunFacts, parse_json(read_text(self.path, "run.json", _LARGEST_DOCUMENT)))
        except (ValueError, InvalidInput) as error:
            raise InvalidInput(f"{self.path} contains no readable run: {error}.") from error

    def write(self, name: str, document: object) -> None:
        """A JSON file of the run, whole or not at all."""
        text = json.dumps(_strict(document), indent=1, allow_nan=False) + "\n"
        self.write_text(name, text)

    def write_text(self, name: str, text: str) -> None:
        try:
            write_inside(self.path, name, text)
        except OSError as error:
            hint = "Free some space, or choose another folder with -o."
            raise EnvironmentFailure(f"{self.path / name} cannot be written: {error.strerror}.", hint=hint) from error

    def read(self, name: str) -> Any:
        """A JSON file of the run; None where there is none."""
        try:
            return parse_json(read_text(self.path, name, _LARGEST_DOCUMENT))
        except (FileRefused, ValueError):
            return None


def new_run(root: Path | None = None) -> RunFolder:
    """A fresh folder, named for the time; two that start at once get two."""
    parent = (root or Path.cwd()) / RUNS
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    for number in range(1000):
        path = parent / (stamp if not number else f"{stamp}-{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise EnvironmentFailure(
                f"{parent} cannot be written: {error.strerror}.", hint="Change to a writable folder."
            ) from error
        return RunFolder(path)
    raise EnvironmentFailure(f"{parent} has no free name left for a run.")


def all_runs(root: Path | None = None) -> list[RunFolder]:
    """The recorded runs of a folder, the earliest first."""
    parent = (root or Path.cwd()) / RUNS
    return [RunFolder(path) for path in sorted(parent.glob("*")) if (path / "run.json").is_file()]


def find_run(name: str, root: Path | None = None) -> RunFolder | None:
    """A run by its id, by its folder, or the latest one by the word ``last``."""
    parent = (root or Path.cwd()) / RUNS
    if name == "last":
        folders = all_runs(root)
        return folders[-1] if folders else None
    for path in (Path(name), parent / name):
        if (path / "run.json").is_file():
            return RunFolder(path)
    return None


def _strict(value: Any) -> Any:
    """JSON knows neither NaN nor infinity: they become words."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): _strict(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_strict(item) for item in value]
    return value
