"""The difference of two texts as a unified diff that ``git apply`` takes."""

from __future__ import annotations

import difflib


def text_diff(before: str, after: str, old_name: str, new_name: str) -> str:
    """Equal texts give an empty one."""
    lines = difflib.unified_diff(_lines(before), _lines(after), old_name, new_name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """Lines as git sees them: only a line feed ends one."""
    parts = text.split("\n")
    lines = [f"{part}\n" for part in parts[:-1]]
    return lines + parts[-1:] if parts[-1] else lines
