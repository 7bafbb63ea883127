"""graph-grows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import MemoryReading, Recording
from bugloss.observe.sketch import sketch

_LEAST_READINGS = 5  # fewer cannot tell growth from a change of stage
_TIMES = 2.0  # the first size: sequences that get longer on purpose seldom double step by step


def _readings(*sizes: int) -> tuple[MemoryReading, ...]:
    return tuple(MemoryReading(step, 100.0, graph=size) for step, size in enumerate(sizes))


class GraphGrows(Detector):
    """Each backward pass goes through more operations than the one before.

    ## What it finds
    A graph of operations that grows with the number of the step.

    ## Why it hurts
    Steps hang on all steps before them: a hidden state, a running loss or a penalty is carried on without being
    detached. Time and memory grow until the program dies. In TensorFlow 1, operations that are made inside of the loop
    do the same.

    ## How it decides
    The operations behind the loss are counted on sampled steps. A count that grows in each of five readings or more and
    at least doubles is a warning.

    ## Known problems
    A curriculum that makes sequences longer with every step looks the same.

    ## References
    "My model reports out of memory", PyTorch FAQ; ``tf.Graph.finalize``.
    """

    name = "graph-grows"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (sketch(memory=_readings(10, 20, 30, 40, 60, 90)), sketch(memory=_readings(100, 140, 180, 220, 300)))
    healthy = (
        sketch(memory=_readings(10, 10, 10, 10, 10, 10)),
        sketch(memory=_readings(10, 40, 20, 60, 30, 80)),
        sketch(memory=_readings(10, 20, 30)),
        sketch(memory=_readings(1000, 1001, 1002, 1003, 1004, 1005)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        known = [(item.step, item.graph) for item in recording.memory if item.graph is not None]
        sizes = [size for _, size in known]
        grown = _growing(sizes)
        if len(grown) >= _LEAST_READINGS and grown[-1] >= _TIMES * max(grown[0], 1):
            last = known[len(grown) - 1]
            yield self.symptom(
                f"The loss hangs on {grown[0]} operations at step {known[0][0]} and on {last[1]} at step {last[0]}.",
                step=known[1][0],
                first=grown[0],
                last=last[1],
            )


def _growing(sizes: Sequence[int]) -> Sequence[int]:
    """The readings up to the first that did not grow; the probe stops counting at a limit, where growth must end."""
    for place in range(1, len(sizes)):
        if sizes[place] <= sizes[place - 1]:
            return sizes[:place] if sizes[place] == sizes[place - 1] == max(sizes) else ()
    return sizes
