"""Settings of a project: ``[tool.bugloss]`` in ``pyproject.toml``, or ``bugloss.toml``, which wins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bugloss.core.codec import decode
from bugloss.core.documents import parse_toml
from bugloss.core.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a project says about checking; names are written with hyphens in the file."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: dict[str, tuple[str, ...]] | None = None
    target: str = ""
    baseline: str = ""


def read_configuration(start: Path) -> Configuration:
    """The nearest settings at or above a path; none are fine too."""
    folder = start.resolve() if start.is_dir() else start.resolve().parent
    for place in (folder, *folder.parents):
        for path, table in ((place / "bugloss.toml", ()), (place / "pyproject.toml", ("tool", "bugloss"))):
            found = _read(path, table)
            if found is not None:
                return replace(found, baseline=str(place / found.baseline)) if found.baseline else found
    return Configuration()


def _read(path: Path, table: tuple[str, ...]) -> Configuration | None:
    if not path.is_file():
        return None
    try:
        data: Any = parse_toml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
    for name in table:
        data = data.get(name) if isinstance(data, dict) else None
    if data is None:
        return None
    if not isinstance(data, dict):
        raise InvalidInput(f"{path}: {'.'.join(table)} must be a table.")
    try:
        return decode(Configuration, {name.replace("-", "_"): value for name, value in data.items()})
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error.message}", hint=error.hint) from error
