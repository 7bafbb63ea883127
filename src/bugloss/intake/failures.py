"""Failures that the tracebacks and logs of a report show, each with its place in the body."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bugloss.core.failure.failure import Failure
from bugloss.core.failure.traceback_text import read_failures
from bugloss.core.report import Block, BlockKind


def find_failures(body: str, blocks: Sequence[Block]) -> Iterator[Failure]:
    """The failures of all blocks in order; a log counts where it shows frames, since logs name many exceptions."""
    for block in blocks:
        if block.kind in {BlockKind.TRACEBACK, BlockKind.LOG}:
            found = [one for one in read_failures(block.text) if one.frames or block.kind is BlockKind.TRACEBACK]
            yield from _placed(found, body, block) if found else ()


def _placed(failures: Sequence[Failure], body: str, block: Block) -> Iterator[Failure]:
    """The failures with their places in the body; the block's text has the same lines without their margins."""
    inside = _starts(block.text)
    outside = [block.start + start for start in _starts(body[block.start : block.end])]
    ends = [*(start - 1 for start in outside[1:]), block.end]
    for failure in failures:
        first, last = (bisect_right(inside, place) - 1 for place in (failure.start, failure.end))
        yield replace(failure, start=outside[first], end=ends[last])


def _starts(text: str) -> list[int]:
    """Where each line begins."""
    starts = [0]
    while (found := text.find("\n", starts[-1])) >= 0:
        starts.append(found + 1)
    return starts
