"""The difference between two folders of text files, as one unified diff."""

from __future__ import annotations

import os
from pathlib import Path

from bugloss.core.errors import FileRefused, Refusal
from bugloss.core.foreign_file import read_bytes
from bugloss.core.foreign_folder import FolderContent, content_of
from bugloss.core.text_diff import text_diff


def unified_diff(before: Path, after: Path, labels: tuple[str, str] = ("a", "b")) -> str:
    """``git apply`` takes what comes back; equal folders give an empty text."""
    names = sorted({*text_files(before), *text_files(after)})
    return "".join(_diff(_text(before, name), _text(after, name), name, labels) for name in names)


def fix_of(bug: Path) -> str:
    """The fix of the bug in that folder; nothing where a program cannot be read or is not text."""
    try:
        return unified_diff(bug / "buggy", bug / "fixed")
    except (UnicodeDecodeError, FileRefused):
        return ""


def text_files(folder: Path) -> list[str]:
    """The files below a folder, without what running leaves behind."""
    return bug_files(folder).names


def bug_files(folder: Path) -> FolderContent:
    """The same with what is left alone: links that lead out of the folder, pipes, devices."""
    return content_of(folder, skip=_is_left_behind)


def _is_left_behind(entry: os.DirEntry[str]) -> bool:
    return entry.name == "__pycache__"


def added_file(text: str, name: str) -> str:
    """The diff that adds one file under that name."""
    return _diff(None, text, name, ("a", "b"))


def _diff(before: str | None, after: str | None, name: str, labels: tuple[str, str]) -> str:
    if before == after:
        return ""
    from_name, to_name = (f"{label}/{name}" for label in labels)
    # Git's own header says what the two names cannot: that an empty file comes or goes.
    header = f"diff --git {from_name} {to_name}\n"
    if before is None:
        header, from_name = f"{header}new file mode 100644\n", "/dev/null"
    elif after is None:
        header, to_name = f"{header}deleted file mode 100644\n", "/dev/null"
    return header + text_diff(before or "", after or "", from_name, to_name)


def _text(folder: Path, name: str) -> str | None:
    """None where there is no file of that name."""
    try:
        return read_bytes(folder, name).decode("utf-8")
    except FileRefused as error:
        if error.reason is Refusal.MISSING:
            return None
        raise
