"""What comes in on standard input; closed, unreadable and foreign streams are an error with a sentence."""

from __future__ import annotations

import sys

from bugloss.core.errors import InvalidInput

_BLOCK = 1 << 20


def read_standard_input(most: int, *, end: bool = False) -> bytes:
    """Its first bytes, or with ``end`` its last ones; no more than those are kept, however much comes."""
    if sys.stdin is None:
        raise InvalidInput("standard input is closed.", hint="Name a file, or pipe the text in.")
    try:
        return _last(most) if end else sys.stdin.buffer.read(most)
    except (OSError, ValueError) as error:  # ValueError: somebody closed it in this process
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInput(f"standard input cannot be read: {reason}.") from error


def _last(most: int) -> bytes:
    content = b""
    while block := sys.stdin.buffer.read(_BLOCK):
        content = (content + block)[-most:]
    return content
