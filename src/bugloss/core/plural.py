"""Counts with their nouns."""

from __future__ import annotations


def plural(count: int, one: str, many: str = "") -> str:
    """``1 step``, ``1,200 steps``, ``2 losses``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
