"""Bars in seconds that hold on a slow or busy machine as well: they grow with what a known piece of work costs here, now.

A bar is there to tell linear work from quadratic work, so it is set several times above what the work costs on a quiet machine;
what noise remains is met by asking how slow the machine is at the moment of the test.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

QUIET_SECONDS = 0.14  # what `known_work` costs on the machine where the bars were set


def known_work() -> float:
    """CPU seconds of a fixed piece of work that, as a reader of reports does, splits, counts and joins words."""
    start = time.process_time()
    words: dict[str, int] = {}
    for number in range(120_000):
        for word in f"loss {number % 997} of epoch {number}".split():
            words[word] = words.get(word, 0) + 1
    return time.process_time() - start


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fails where the block takes more CPU time than `seconds`, stretched by how slow this machine is now."""
    collecting = gc.isenabled()
    gc.disable()  # what other tests left behind is not this one's to tidy up
    start = time.process_time()
    try:
        yield
    finally:
        taken = time.process_time() - start
        if collecting:
            gc.enable()
    if taken < seconds:
        return
    slowness = max(1.0, known_work() / QUIET_SECONDS)
    assert taken < seconds * slowness, f"{taken:.2f} s of CPU time; {seconds} s allowed, {slowness:.1f} times stretched"
