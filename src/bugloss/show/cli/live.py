"""One line about a run that is going on, on standard error, below what the program itself prints."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from bugloss.core.documents import parse_json
from bugloss.core.errors import FileRefused
from bugloss.core.foreign_file import open_inside
from bugloss.core.visible import visible
from bugloss.record.runs import EVENTS, RunFolder
from bugloss.show.cli.door import write_codes

_EVERY = 1.0
_MOST_BYTES = 8 * 2**20  # that are read at a time
_BLOCKS = "▁▂▃▄▅▆▇█"
_LARGEST = 1e300  # of a loss that is drawn


class LiveView:
    """Follows the events of a run and shows step, loss and its curve; never more often than once a second."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled
        self._offset = 0
        self._torn = b""
        self._losses: list[float] = []
        self._step = 0
        self._shown_at = 0.0
        self._written = False

    def __enter__(self) -> LiveView:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._written:
            write_codes(sys.stderr, "\r\x1b[K")
            sys.stderr.flush()

    def update(self, folder: RunFolder) -> None:
        if not self.enabled or time.monotonic() - self._shown_at < _EVERY:
            return
        self._shown_at = time.monotonic()
        self._follow(folder)
        if self._losses:
            self._written = True
            write_codes(sys.stderr, f"\r\x1b[K\x1b[2m{visible(self.line())}\x1b[0m")
            sys.stderr.flush()

    def line(self) -> str:
        """What is shown: the step, the last loss, and the last losses as blocks."""
        return f"bugloss: step {self._step}, loss {self._losses[-1]:.4g}  {sparkline(self._losses[-400:])}"

    def _follow(self, folder: RunFolder) -> None:
        try:
            with open_inside(folder.path, EVENTS) as lines:
                lines.seek(self._offset)
                new = lines.read(_MOST_BYTES)
        except (FileRefused, OSError):
            return
        self._offset += len(new)
        *whole, torn = (self._torn + new).split(b"\n")
        self._torn = torn[:_MOST_BYTES]
        for line in whole:
            self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            event = parse_json(line)
        except ValueError:
            return
        if isinstance(event, dict) and event.get("event") == "step":
            step, loss = event.get("step"), event.get("loss")
            self._step = step if isinstance(step, int) else self._step
            if isinstance(loss, int | float) and abs(loss) < _LARGEST:  # NaN is not; a program can write anything
                self._losses.append(float(loss))


def sparkline(values: list[float], width: int = 40) -> str:
    """A curve of block characters, each the mean of a stretch."""
    size = max(len(values) // width, 1)
    means = [sum(part) / len(part) for part in (values[start : start + size] for start in range(0, len(values), size))][
        -width:
    ]
    low, high = min(means), max(means)
    if high <= low:
        return _BLOCKS[0] * len(means)
    return "".join(_BLOCKS[round((mean - low) / (high - low) * (len(_BLOCKS) - 1))] for mean in means)
