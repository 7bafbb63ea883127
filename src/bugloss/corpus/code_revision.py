"""Which state of the code something was made by."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def code_revision(files: Iterable[Path]) -> str:
    """Names, sizes and times of files of code."""
    facts = [(path.name, path.stat()) for path in sorted(files)]
    return ";".join(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in facts)
