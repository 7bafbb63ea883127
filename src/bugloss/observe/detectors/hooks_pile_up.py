"""hooks-pile-up."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import MemoryReading, Recording
from bugloss.observe.sketch import sketch

_LEAST_READINGS = 5  # fewer cannot tell a loop from a start
_LEAST_GROWTH = 5  # functions: some are added once, at the start


def _readings(*hooks: int) -> tuple[MemoryReading, ...]:
    return tuple(MemoryReading(step, 100.0, hooks=count) for step, count in enumerate(hooks))


class HooksPileUp(Detector):
    """A function is hooked into the model again with every step.

    ## What it finds
    Models that call more and more functions around their passes.

    ## Why it hurts
    Every step runs all hooks of the steps before it: training gets slower and slower, what the hooks keep is never
    freed, and what they change is changed many times over.

    ## How it decides
    The number of hooks is read on sampled steps: one that never falls and grows in each of five readings or more is a
    warning.

    ## Known problems
    None are known.

    ## References
    ``torch.nn.Module.register_forward_hook`` returns a handle with ``remove()``.
    """

    name = "hooks-pile-up"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (sketch(memory=_readings(0, 1, 2, 3, 5, 8, 12)), sketch(memory=_readings(2, 4, 6, 8, 12, 18)))
    healthy = (
        sketch(memory=_readings(0, 0, 0, 0, 0, 0)),
        sketch(memory=_readings(0, 6, 6, 6, 6, 6, 6)),
        sketch(memory=_readings(0, 3, 6)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        known = [(item.step, item.hooks) for item in recording.memory if item.hooks is not None]
        counts = [count for _, count in known]
        if len(counts) < _LEAST_READINGS or counts[-1] - counts[0] < _LEAST_GROWTH:
            return
        if all(later > earlier for earlier, later in itertools.pairwise(counts)):
            yield self.symptom(
                f"The model has {counts[0]} hooks at step {known[0][0]} and {counts[-1]} at step {known[-1][0]}.",
                step=known[1][0],
                first=counts[0],
                last=counts[-1],
            )
