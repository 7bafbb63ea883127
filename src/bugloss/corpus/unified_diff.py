"""The difference between two folders of text files, as one unified diff."""

from __future__ import annotations

from pathlib import Path

from bugloss.core.text_diff import text_diff


def unified_diff(before: Path, after: Path, labels: tuple[str, str] = ("a", "b")) -> str:
    """``git apply`` takes what comes back; equal folders give an empty text."""
    names = sorted({*text_files(before), *text_files(after)})
    return "".join(_diff(before / name, after / name, name, labels) for name in names)


def fix_of(bug: Path) -> str:
    """The fix of the bug in that folder; nothing where a program is no text."""
    try:
        return unified_diff(bug / "buggy", bug / "fixed")
    except UnicodeDecodeError:
        return ""


def text_files(folder: Path) -> list[str]:
    """The files below a folder, without what running leaves behind."""
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path.relative_to(folder).as_posix() for path in found)


def added_file(path: Path, name: str) -> str:
    """The diff that adds one file under that name."""
    return _diff(path.parent / "nowhere" / path.name, path, name, ("a", "b"))


def _diff(before: Path, after: Path, name: str, labels: tuple[str, str]) -> str:
    old, new = _text(before), _text(after)
    if old == new and before.is_file() == after.is_file():
        return ""
    from_name, to_name = (f"{label}/{name}" for label in labels)
    # Git's own header says what the two names cannot: that an empty file comes or goes.
    header = f"diff --git {from_name} {to_name}\n"
    if not before.is_file():
        header, from_name = f"{header}new file mode 100644\n", "/dev/null"
    elif not after.is_file():
        header, to_name = f"{header}deleted file mode 100644\n", "/dev/null"
    return header + text_diff(old, new, from_name, to_name)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8") if path.is_file() else ""
