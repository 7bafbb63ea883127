"""Work for engines: functions of a module that other processes can import."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator


def doubled(number: int) -> Iterator[int]:
    """Two results, or an error for three."""
    if number == 3:
        raise ValueError("three is refused")
    yield number
    yield -number


def dying(number: int) -> Iterator[int]:
    """Ends its process for two."""
    if number == 2:
        os._exit(9)
    yield number


def slow(number: int) -> Iterator[tuple[int, int]]:
    """The number with the process that worked on it, after a while."""
    time.sleep(0.3)
    yield number, os.getpid()
