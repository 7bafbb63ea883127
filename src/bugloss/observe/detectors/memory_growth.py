"""memory-growth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import MemoryReading, Recording
from bugloss.observe.sketch import sketch

_LEAST_READINGS = 10  # fewer readings cannot show a straight line
_LEAST_GROWTH = 20.0  # megabytes: less is within what allocators keep back
_LEAST_SHARE = 0.05  # of what was held at first: less does not end in a crash soon
_STRAIGHT = 0.95  # correlation with the steps: a leak grows evenly, caches do not
_STILL_GROWING = 0.35  # of the growth, in the last half of the steps: a leak has half of it there
_WARM_UP = 0.2  # of the readings: caches fill and allocators settle


def _readings(values: Sequence[float]) -> tuple[MemoryReading, ...]:
    return tuple(MemoryReading(step, value) for step, value in enumerate(values))


class MemoryGrowth(Detector):
    """The memory of the program grows from step to step.

    ## What it finds
    A steady, linear growth over the whole run.

    ## Why it hurts
    The program slows down and finally runs out of memory. The usual cause is that losses or outputs are kept together
    with their graphs: ``total += loss`` instead of ``loss.item()``.

    ## How it decides
    From ten readings on, without the first fifth: a straight line explains 95 % of the readings' variance, the growth
    is at least 20 MB and a twentieth of what was held, and the second half of the steps contributes to it.

    ## Known problems
    Programs that collect results on purpose grow as well, mostly far more slowly. Where the memory of the whole
    process is read, other libraries count too.

    ## References
    The "memory" question of PyTorch's FAQ: "My model reports out of memory".
    """

    name = "memory-growth"
    severity = Severity.WARNING
    category = Category.GPU
    faulty = (
        sketch(memory=_readings([100 + 2 * step for step in range(60)])),
        sketch(memory=_readings([500 + 7 * step + (step % 3) for step in range(30)])),
    )
    healthy = (
        sketch(memory=_readings([100 + 40 * (step > 2) for step in range(60)])),
        sketch(memory=_readings([100 + (step % 7) for step in range(60)])),
        sketch(memory=_readings([100 + 9 * step for step in range(8)])),
        sketch(memory=_readings([100 + 0.05 * step for step in range(60)])),
        sketch(memory=_readings([100 + 60 * (1 - 0.9**step) for step in range(60)])),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        readings = recording.memory[round(_WARM_UP * len(recording.memory)) :]
        if len(recording.memory) < _LEAST_READINGS:
            return
        steps, values = [item.step for item in readings], [item.megabytes for item in readings]
        rate, fit = _line(steps, values)
        growth = rate * (steps[-1] - steps[0])
        if growth < max(_LEAST_GROWTH, _LEAST_SHARE * values[0]) or fit < _STRAIGHT or not _goes_on(steps, values):
            return
        yield self.symptom(
            f"Memory grows from {values[0]:.0f} to {values[-1]:.0f} MB, by {rate:.2g} MB per step.",
            step=steps[0],
            megabytes_per_step=rate,
            first=values[0],
            last=values[-1],
        )


def _goes_on(steps: Sequence[int], values: Sequence[float]) -> bool:
    """Whether the second half of the steps contributes to the growth."""
    middle = next(place for place, step in enumerate(steps) if step >= (steps[0] + steps[-1]) / 2)
    return values[-1] - values[middle] >= _STILL_GROWING * (values[-1] - values[0])


def _line(steps: Sequence[int], values: Sequence[float]) -> tuple[float, float]:
    """The slope of the straight line through the readings, and the share of their variance that it explains."""
    count = len(steps)
    centre, level = sum(steps) / count, sum(values) / count
    across = sum((step - centre) ** 2 for step in steps)
    along = sum((value - level) ** 2 for value in values)
    both = sum((step - centre) * (value - level) for step, value in zip(steps, values, strict=True))
    return (both / across, both**2 / (across * along)) if across and along else (0.0, 0.0)
