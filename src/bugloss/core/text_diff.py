"""The difference of two texts as a unified diff that ``git apply`` takes."""

from __future__ import annotations

import difflib
import re
from itertools import takewhile
from operator import eq

_CONTEXT = 3
_HUNK = re.compile(r"^@@ -(\d+)((?:,\d+)?) \+(\d+)((?:,\d+)?) @@")


def text_diff(before: str, after: str, old_name: str, new_name: str) -> str:
    """Equal texts give an empty one."""
    old, new = _lines(before), _lines(after)
    # Only what differs is compared line by line: a long file with a small change costs next to nothing.
    start = max(0, _common(old, new) - _CONTEXT)
    end = max(0, min(_common(old[::-1], new[::-1]), len(old) - start, len(new) - start) - _CONTEXT)
    lines = difflib.unified_diff(
        old[start : len(old) - end], new[start : len(new) - end], old_name, new_name, n=_CONTEXT
    )
    moved = (_HUNK.sub(lambda match: _moved(match, start), line) for line in lines)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in moved)


def _common(first: list[str], second: list[str]) -> int:
    """How many lines agree from the start."""
    return sum(takewhile(bool, map(eq, first, second)))


def _moved(match: re.Match[str], start: int) -> str:
    return f"@@ -{int(match[1]) + start}{match[2]} +{int(match[3]) + start}{match[4]} @@"


def _lines(text: str) -> list[str]:
    """Lines as git sees them: only a line feed ends one."""
    parts = text.split("\n")
    lines = [f"{part}\n" for part in parts[:-1]]
    return lines + parts[-1:] if parts[-1] else lines
