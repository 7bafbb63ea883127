"""Text that a user gives as a file or on standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.named_file import Keep, read_named, read_standard_input

_MOST_BYTES = 2_000_000  # of a long log the end counts


def read_text(name: str) -> str:
    """The text of a file, or of standard input where the name is ``-``; empty and binary input is refused."""
    content = _standard_input() if name == "-" else read_named(Path(name), _MOST_BYTES, Keep.END)
    source = "standard input" if name == "-" else name
    if not content.strip():
        raise InvalidInput(f"{source} is empty.", hint="Pass a traceback or a log: bugloss lookup error.txt")
    text = content.decode("utf-8", errors="replace")
    if b"\0" in content or text.count("\ufffd") > len(text) // 10:
        raise InvalidInput(f"{source} is not text.", hint="Pass a traceback or a log as plain text.")
    return text


def _standard_input() -> bytes:
    if sys.stdin.isatty():
        print("paste the traceback, then press Ctrl-D", file=sys.stderr)
    return read_standard_input(_MOST_BYTES, Keep.END)
