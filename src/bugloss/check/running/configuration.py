"""Settings of a project: ``[tool.bugloss]`` in ``pyproject.toml``, or ``bugloss.toml``, which wins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bugloss.core.codec import decode
from bugloss.core.documents import parse_toml
from bugloss.core.errors import FileRefused, InvalidInput, Refusal
from bugloss.core.foreign_file import ForeignFile, read_text

LARGEST_BASELINE = 100_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a project says about checking; names are written with hyphens in the file."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: dict[str, tuple[str, ...]] | None = None
    target: str = ""
    baseline: ForeignFile | None = None  # a file of the project


def read_configuration(start: Path) -> Configuration:
    """The nearest settings at or above a path; none are fine too."""
    folder = start.resolve() if start.is_dir() else start.resolve().parent
    for place in (folder, *folder.parents):
        for path, table in ((place / "bugloss.toml", ()), (place / "pyproject.toml", ("tool", "bugloss"))):
            found = _read(path, table)
            if found is not None:
                return found
    return Configuration()


def _read(path: Path, table: tuple[str, ...]) -> Configuration | None:
    try:
        data: Any = parse_toml(read_text(path.parent, path.name))
    except FileRefused as error:
        if error.reason in {Refusal.MISSING, Refusal.NOT_A_FILE}:
            return None
        raise
    except ValueError as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
    for name in table:
        data = data.get(name) if isinstance(data, dict) else None
    if data is None:
        return None
    if not isinstance(data, dict):
        raise InvalidInput(f"{path}: {'.'.join(table)} must be a table.")
    try:
        given = {name.replace("-", "_"): value for name, value in data.items()}
        baseline = given.pop("baseline", "")
        if not isinstance(baseline, str):
            raise InvalidInput("baseline must be of type str.")
        found = decode(Configuration, given)
        return replace(found, baseline=ForeignFile(path.parent, baseline, LARGEST_BASELINE)) if baseline else found
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error.message}", hint=error.hint) from error
