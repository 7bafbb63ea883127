"""The difference between two folders of text files, as one unified diff."""

from __future__ import annotations

import difflib
from pathlib import Path


def unified_diff(before: Path, after: Path, labels: tuple[str, str] = ("a", "b")) -> str:
    """``git apply`` takes what comes back; equal folders give an empty text."""
    names = sorted({*text_files(before), *text_files(after)})
    return "".join(_diff(before / name, after / name, name, labels) for name in names)


def text_files(folder: Path) -> list[str]:
    """The files below a folder, without what running leaves behind."""
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path.relative_to(folder).as_posix() for path in found)


def _diff(before: Path, after: Path, name: str, labels: tuple[str, str]) -> str:
    old, new = _lines(before), _lines(after)
    from_name = f"{labels[0]}/{name}" if before.is_file() else "/dev/null"
    to_name = f"{labels[1]}/{name}" if after.is_file() else "/dev/null"
    lines = difflib.unified_diff(old, new, from_name, to_name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines(keepends=True) if path.is_file() else []
