"""Packages of our own environment for the interpreter of a stack, which has a framework and little else.

Only packages in plain Python: theirs and our interpreter may differ in what they can load.
"""

from __future__ import annotations

from importlib.metadata import distribution, requires
from pathlib import Path

from packaging.requirements import Requirement


def borrow(folder: Path, *names: str) -> Path:
    """A folder for ``PYTHONPATH`` with links to these distributions and to all that they need."""
    folder.mkdir(exist_ok=True)
    for name in _needed(names):
        for top in {
            file.parts[0] for file in distribution(name).files or () if file.parts[0] not in ("..", "__pycache__")
        }:
            link = folder / top
            if not link.is_symlink():
                link.symlink_to(distribution(name).locate_file(top))
    return folder


def _needed(names: tuple[str, ...]) -> list[str]:
    found = list(names)
    for name in found:  # it grows meanwhile
        for line in requires(name) or ():
            need = Requirement(line)
            if (need.marker is None or need.marker.evaluate({"extra": ""})) and need.name not in found:
                found.append(need.name)
    return found
