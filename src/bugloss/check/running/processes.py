"""Work on many files in several processes; one that dies takes no other file's result with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain
from typing import TypeVar

from bugloss.core.engine import end_with_parent

Item = TypeVar("Item")
Result = TypeVar("Result")
Work = Callable[[Sequence[Item]], list[Result]]

_PARTS_PER_PROCESS = 8  # small enough for all processes to end at about the same time


def run_in_processes(
    work: Work[Item, Result], items: Sequence[Item], processes: int, lost: Callable[[Item], Result]
) -> list[Result]:
    """The results in the order of the items. ``lost`` makes one for the item that a process died of."""
    size = max(1, len(items) // (processes * _PARTS_PER_PROCESS))
    parts = [items[start : start + size] for start in range(0, len(items), size)]
    try:
        results = _attempt(work, parts, processes)
    except OSError:  # no more processes may be started, or they cannot talk to each other here
        return work(items)
    done = (_alone(work, part, lost) if found is None else found for part, found in zip(parts, results, strict=True))
    return list(chain.from_iterable(done))


def _attempt(work: Work[Item, Result], parts: Sequence[Sequence[Item]], processes: int) -> list[list[Result] | None]:
    """The result of each part; None where a process died, which ends all parts that are not done by then."""
    results: list[list[Result] | None] = []
    with ProcessPoolExecutor(processes, initializer=end_with_parent) as pool:
        try:
            futures = [pool.submit(work, part) for part in parts]
        except BrokenProcessPool:
            return [None] * len(parts)
        for future in futures:
            try:
                results.append(future.result())
            except BrokenProcessPool:
                results.append(None)
    return results


def _alone(work: Work[Item, Result], part: Sequence[Item], lost: Callable[[Item], Result]) -> list[Result]:
    """A part in a process of its own; where that dies too, its halves, down to the one item that is to blame."""
    (found,) = _attempt(work, [part], 1)
    if found is not None:
        return found
    if len(part) == 1:
        return [lost(part[0])]
    middle = len(part) // 2
    return [*_alone(work, part[:middle], lost), *_alone(work, part[middle:], lost)]
