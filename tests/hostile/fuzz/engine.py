"""Tries inputs one by one: each must be answered, or refused with an error of ours, in time and within memory."""

from __future__ import annotations

import gc
import hashlib
import os
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from types import FrameType

from hostile.fuzz.mutation import mutate
from hostile.fuzz.targets import TARGETS, Target

from bugloss.core.errors import BuglossError

KEPT = Path(__file__).parent / "kept"
# CPU seconds that an input may take: linear work of any front function stays far below, a quadratic pattern does not.
BASE_SECONDS, SECONDS_PER_KILOBYTE = 4.0, 0.4
MEMORY = 2 << 30  # bytes that a target may ask for beyond what the process has
_MINIMISING_SECONDS = 20.0


class OutOfTime(BaseException):
    """An input took longer than its size allows; not an Exception, so that nothing in between swallows it."""


@dataclass(frozen=True)
class Fault:
    """An input that failed: how, where, and what a person needs to see."""

    target: str
    content: bytes
    kind: str
    place: str
    detail: str

    @property
    def name(self) -> str:
        return f"{self.target}-{hashlib.sha256(self.content).hexdigest()[:10]}"

    def keep(self) -> Path:
        KEPT.mkdir(exist_ok=True)
        path = KEPT / self.name
        path.write_bytes(self.content)
        return path


def attempt(target: Target, content: bytes) -> Fault | None:
    """Gives one input to a target; None where it was answered or refused as it should be."""
    try:
        with _time_limit(BASE_SECONDS + SECONDS_PER_KILOBYTE * len(content) / 1000):
            target.call(content)
    except BuglossError:
        return None
    except (Exception, OutOfTime) as error:
        return Fault(target.name, content, type(error).__name__, _place(error), _detail(error))
    return None


def inputs(target: Target, seed: str) -> Iterator[bytes]:
    """Mutations of the target's seeds; input number n depends on nothing but the seed and n."""
    seeds = target.seeds()
    return (mutate(seeds, Random(f"{seed} {target.name} {number}")) for number in count())


def fuzz(
    name: str, seed: str, seconds: float, found: Callable[[Fault], None], note: Path | None = None
) -> tuple[int, int]:
    """Tries inputs for so many seconds; each way to fail is minimised and reported once. Returns inputs and faults."""
    target, known, tried = TARGETS[name], set[tuple[str, str]](), 0
    deadline = time.monotonic() + seconds
    for content in inputs(target, seed):
        if time.monotonic() >= deadline:
            break
        if note is not None:  # should the process die of it, whoever waits for it knows the input
            note.write_bytes(content)
        fault = attempt(target, content)
        tried += 1
        if tried % 200 == 0:
            gc.collect()
        if fault is not None and (fault.kind, fault.place) not in known:
            known.add((fault.kind, fault.place))
            found(minimised(target, fault))
    return tried, len(known)


def minimised(target: Target, fault: Fault) -> Fault:
    """The smallest input that was found to fail in the same way, by leaving out ever smaller stretches."""
    best, deadline = fault, time.monotonic() + _MINIMISING_SECONDS
    size = len(best.content) // 2
    while size >= 1 and time.monotonic() < deadline and fault.kind != OutOfTime.__name__:
        start = 0
        while start < len(best.content) and time.monotonic() < deadline:
            shorter = attempt(target, best.content[:start] + best.content[start + size :])
            if shorter is not None and (shorter.kind, shorter.place) == (best.kind, best.place):
                best = shorter
            else:
                start += size
        size //= 2
    return best


def limit_memory() -> None:
    """For a process that does nothing but fuzz."""
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
    limit = pages * os.sysconf("SC_PAGE_SIZE") + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise OutOfTime(f"more than {seconds:.1f} s of CPU time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _place(error: BaseException) -> str:
    """The innermost line of ours; for one that was reported by the product, its text without numbers."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/bugloss/" in frame.filename and "/tests/" not in frame.filename]
    if not ours:
        return "".join(letter for letter in str(error) if not letter.isdigit())[:80]
    frame = ours[-1]
    return f"{frame.filename.rpartition('/bugloss/')[2]}:{frame.name}"


def _detail(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    places = " < ".join(
        f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in reversed(frames)
    )
    return f"{type(error).__name__}: {str(error)[:300]!r} at {places}"
