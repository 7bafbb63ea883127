"""Text that a user gives as a file or on standard input."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.standard_input import read_standard_input

_MOST_BYTES = 2_000_000  # of a long log the end counts


def read_text(name: str) -> str:
    """The text of a file, or of standard input where the name is ``-``; empty and binary input is refused."""
    content = _standard_input() if name == "-" else _file(Path(name))
    source = "standard input" if name == "-" else name
    if not content.strip():
        raise InvalidInput(f"{source} is empty.", hint="Give a traceback or a log: bugloss lookup error.txt")
    text = content.decode("utf-8", errors="replace")
    if b"\0" in content or text.count("\ufffd") > len(text) // 10:
        raise InvalidInput(f"{source} is no text.", hint="Give a traceback or a log as plain text.")
    return text


def _standard_input() -> bytes:
    if sys.stdin.isatty():
        print("paste the traceback, then press Ctrl-D", file=sys.stderr)
    return read_standard_input(_MOST_BYTES, end=True)


def _file(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            stream.seek(0, os.SEEK_END)
            stream.seek(max(stream.tell() - _MOST_BYTES, 0))
            return stream.read()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInput(f"{path} cannot be read: {reason}.") from error
