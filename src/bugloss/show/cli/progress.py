"""How far a training is, read from its events while they come."""

from __future__ import annotations

import math

from bugloss.core.documents import parse_json

_BLOCKS = "▁▂▃▄▅▆▇█"
_DRAWN = 400  # losses of the curve
_LARGEST = 1e300  # of a loss that is drawn
_BAD = {"nan": "NaN", "inf": "infinite", "-inf": "infinite"}


class TrainingProgress:
    """The latest step, epoch and loss, and the first loss that is NaN."""

    def __init__(self) -> None:
        self.step: int | None = None
        self.epoch: int | None = None
        self.alarm = ""
        self._latest = ""
        self._losses: list[float] = []

    def take(self, line: bytes) -> None:
        """One event; a program can write anything, so nothing of it is taken for granted."""
        try:
            event = parse_json(line)
        except ValueError:
            return
        if not isinstance(event, dict) or event.get("event") not in {"step", "epoch"}:
            return
        step, epoch, loss = event.get("step"), event.get("epoch"), event.get("loss")
        self.epoch = epoch if isinstance(epoch, int) else self.epoch
        if event["event"] == "step":
            self.step = step if isinstance(step, int) else self.step
            self._take_loss(loss)

    def _take_loss(self, loss: object) -> None:
        if isinstance(loss, str) and loss in _BAD:
            self._latest = _BAD[loss]
            self.alarm = self.alarm or f"the loss is {_BAD[loss]} at step {self.step}"
        elif isinstance(loss, int | float) and abs(loss) < _LARGEST:
            self._latest = f"{loss:.4g}"
            self._losses = [*self._losses[1 - _DRAWN :], float(loss)]

    def words(self) -> str:
        """``step 120, epoch 3, loss 0.43 ▇▆▅``; empty before the first step."""
        if self.step is None:
            return ""
        epoch = "" if self.epoch is None else f", epoch {self.epoch + 1}"
        loss = f", loss {self._latest}" if self._latest else ""
        curve = f"  {sparkline(self._losses)}" if self._losses else ""
        return f"step {self.step}{epoch}{loss}{curve}"


def sparkline(values: list[float], width: int = 30) -> str:
    """A curve of block characters, each the mean of a stretch."""
    size = max(math.ceil(len(values) / width), 1)
    means = [sum(part) / len(part) for part in (values[start : start + size] for start in range(0, len(values), size))]
    low, high = min(means), max(means)
    if high <= low:
        return _BLOCKS[0] * len(means)
    return "".join(_BLOCKS[round((mean - low) / (high - low) * (len(_BLOCKS) - 1))] for mean in means)
