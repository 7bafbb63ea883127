"""Who hears of a program while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


def _ignore(part: bytes) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Gets what a program prints and the lines that its probe writes, as they come.

    Both are called from threads that must go on reading: they take the bytes and return at once.
    """

    output: Callable[[bytes], None] = _ignore
    event: Callable[[bytes], None] = _ignore
