"""An exception of our own in one line, whatever it is."""

from __future__ import annotations

_LONGEST = 300


def in_one_line(error: BaseException) -> str:
    """``KeyError: 'units'``; one that cannot be written down gives its kind."""
    kind = type(error).__name__
    try:
        text = " ".join(str(error).split())
    except Exception:  # an exception whose own text fails
        return kind
    return f"{kind}: {text[:_LONGEST]}" if text else kind
