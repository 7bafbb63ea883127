"""Nearest names for a misspelt one, put into words."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """`` Did you mean 'torch'?``, or the choices where they are few, or nothing."""
    names = list(known)
    close = get_close_matches(wrong, names, n=3, cutoff=0.6)
    if close:
        return f"Did you mean {' or '.join(repr(name) for name in close)}?"
    if 0 < len(names) <= 12:
        return f"Known: {', '.join(names)}."
    return ""
