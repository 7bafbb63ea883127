"""Which files a check is about: Python files and notebooks below folders, and whatever file is named."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_file import not_a_file

_SKIPPED_FOLDERS = {
    ".git",
    ".venv",
    "venv",
    "node_modules",
    "__pycache__",
    ".bugloss",
    ".ipynb_checkpoints",
    "site-packages",
}
_ENDINGS = (".py", ".ipynb")
_NAMED_ENDINGS = {*_ENDINGS, ".pyi", ".pyw", ""}  # a script that is named may lack an ending


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to check: where it lies, how it is shown, and the folder that it was found below if it was not named."""

    path: Path
    shown: str
    root: Path | None = None
    problem: str = ""  # why it cannot be looked into: a folder that the system does not list


def find_files(paths: Iterable[Path]) -> Iterator[FoundFile]:
    """Python files and notebooks, each once; links are not followed into folders."""
    seen: set[str] = set()
    for path in paths:
        root = path if os.path.isdir(path) else None  # noqa: PTH112 - Path.is_dir raises below unreadable folders
        for found, problem in _named(path):
            real = os.path.realpath(found)
            if real not in seen:
                seen.add(real)
                yield FoundFile(found, found.as_posix(), root, problem)


def _named(path: Path) -> Iterable[tuple[Path, str]]:
    if not os.path.lexists(path):
        raise InvalidInput(f"{path} does not exist.")
    if os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises where a folder above may not be read
        return _below(path)
    with suppress(OSError):  # one that cannot be looked at is reported when it is read
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise not_a_file(path, mode)
    if path.suffix.lower() not in _NAMED_ENDINGS:
        hint = "Name Python files (.py), notebooks (.ipynb) or folders."
        raise InvalidInput(f"{path} is neither a Python file nor a notebook.", hint=hint)
    return [(path, "")]


def _below(folder: Path) -> Iterator[tuple[Path, str]]:
    """Depth first, by name. A folder that cannot be listed stands for itself, with the reason."""
    waiting = [folder]
    while waiting:
        current = waiting.pop()
        try:
            with os.scandir(current) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            yield current, error.strerror or str(error)
            continue
        yield from ((Path(current, entry.name), "") for entry in entries if _is_source(entry))
        folders = [entry.name for entry in entries if entry.name not in _SKIPPED_FOLDERS and _is_folder(entry)]
        waiting += (Path(current, name) for name in reversed(folders))


def _is_source(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(_ENDINGS) and not _is_folder(entry, follow=True)


def _is_folder(entry: os.DirEntry[str], follow: bool = False) -> bool:
    try:
        return entry.is_dir(follow_symlinks=follow)
    except OSError:
        return False
