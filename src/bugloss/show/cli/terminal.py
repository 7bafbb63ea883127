"""Whether a stream is a terminal that wants colours, and how wide standard output is."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO


def coloured(stream: TextIO | None = None) -> bool:
    """Colours on a terminal, unless NO_COLOR is set; anywhere when FORCE_COLOR is."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream or sys.stdout).isatty()


def width(elsewhere: int) -> int:
    """The columns of the terminal, or of $COLUMNS; where neither tells, the given number."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isdigit() and int(asked):
        return int(asked)
    # shutil asks the stream that Python began with; ours have replaced it.
    with suppress(OSError, ValueError):
        return os.get_terminal_size(sys.stdout.fileno()).columns or elsewhere
    return elsewhere
