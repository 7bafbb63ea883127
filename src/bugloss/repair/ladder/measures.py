"""How well a training went, in one number that can be compared before and after a patch.

The program's own held-out accuracy or loss comes first. A loss is only compared with one of the same function on the
same targets: another loss function has another scale, and a lower number would say nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from bugloss.observe.recording import Recording

_TAIL = 10  # the last tenth of the steps counts: one step is a batch, and says little
_SAME_SPREAD = 0.05  # targets whose deviation differs by more were rescaled


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of a recording, up to a step; None where the recording has none."""

    name: str
    read: Callable[[Recording, int], float | None]
    larger_is_better: bool = False
    held_out: bool = False
    needs_same_loss: bool = False

    def gain(self, before: float, after: float) -> float:
        """How much better the second is; what is not finite is the worst there is."""
        worst = -math.inf if self.larger_is_better else math.inf
        old, new = (value if math.isfinite(value) else worst for value in (before, after))
        if old == new:
            return 0.0
        return new - old if self.larger_is_better else old - new


def measures(before: Recording, after: Recording, last: int = 1 << 60) -> Iterator[Measure]:
    """What both recordings have and can be compared by, the most telling first."""
    same_loss = _same_loss(before, after)
    # The model of a run that became NaN gives every sample the same class: its accuracy is that of a constant.
    broken = any(_is_broken(recording, last) for recording in (before, after))
    for measure in _MEASURES:
        if (measure.needs_same_loss and not same_loss) or (broken and measure.larger_is_better):
            continue
        if measure.read(before, last) is not None and measure.read(after, last) is not None:
            yield measure


def _is_broken(recording: Recording, last: int) -> bool:
    end = _training_loss(recording, last)
    return end is not None and not math.isfinite(end)


def last_step(recording: Recording) -> int:
    """The number of the last step."""
    return recording.steps[-1].step if recording.steps else 0


def _same_loss(before: Recording, after: Recording) -> bool:
    if not before.losses or not after.losses:
        return _kind(before) == _kind(after)
    old, new = before.losses[0], after.losses[0]
    same = (old.kind, old.reduction, old.weighted) == (new.kind, new.reduction, new.weighted)
    return same and _same_targets(before, after)


def _kind(recording: Recording) -> str:
    return recording.losses[0].kind if recording.losses else ""


def _same_targets(before: Recording, after: Recording) -> bool:
    old, new = _target_spread(before), _target_spread(after)
    return old is None or new is None or math.isclose(old, new, rel_tol=_SAME_SPREAD, abs_tol=1e-9)


def _target_spread(recording: Recording) -> float | None:
    known = [batch.target for batch in recording.batches if batch.target is not None and batch.phase == "train"]
    return fmean(target.std for target in known) if known else None


def _of_validation(name: str) -> Callable[[Recording, int], float | None]:
    def read(recording: Recording, last: int) -> float | None:
        epochs = [getattr(one, f"validation_{name}") for one in recording.epochs if one.step <= last]
        known = [value for value in epochs if value is not None]
        if known:
            return float(known[-1])
        passes = [one for one in recording.evaluations if one.step <= last and one.data != "train" and one.step]
        values = [getattr(one, name) for one in passes if getattr(one, name) is not None]
        return float(values[-1]) if values else None

    return read


def _training_accuracy(recording: Recording, last: int) -> float | None:
    return _end([step.accuracy for step in recording.steps if step.accuracy is not None and step.step <= last])


def _training_loss(recording: Recording, last: int) -> float | None:
    return _end([step.loss for step in recording.steps if step.loss is not None and step.step <= last])


def _loss_left(recording: Recording, last: int) -> float | None:
    """What is left of the loss that the training began with: comparable where losses are not."""
    losses = [step.loss for step in recording.steps if step.loss is not None and step.step <= last]
    end = _end(losses)
    if end is None or not losses[0] or not math.isfinite(losses[0]):
        return end if end is not None and not math.isfinite(end) else None
    return end / losses[0] if losses[0] > 0 else None


def _end(values: Sequence[float]) -> float | None:
    return fmean(values[-max(len(values) // _TAIL, 1) :]) if values else None


_MEASURES = (
    Measure("validation accuracy", _of_validation("accuracy"), larger_is_better=True, held_out=True),
    Measure("validation loss", _of_validation("loss"), held_out=True, needs_same_loss=True),
    Measure("training accuracy", _training_accuracy, larger_is_better=True),
    Measure("training loss", _training_loss, needs_same_loss=True),
    Measure("share of the initial loss that is left", _loss_left),
)


def seconds_a_step(recording: Recording, last: int) -> float | None:
    """The time of a step, the median: what loading and the first step cost does not count."""
    known = sorted(step.seconds for step in recording.steps[1:] if step.seconds is not None and step.step <= last)
    return known[len(known) // 2] if known else None


SPEED = Measure("seconds a step", seconds_a_step)
