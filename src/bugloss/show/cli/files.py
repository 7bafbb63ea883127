"""Writes what a verb made to the file that was asked for, or to standard output."""

from __future__ import annotations

import sys
from pathlib import Path

from bugloss.core.errors import InvalidInput


def write_text(text: str, target: Path | None) -> None:
    """To the target, or to standard output where there is none."""
    if target is None:
        sys.stdout.write(text)
        return
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"{target} cannot be written: {error.strerror}.") from error
