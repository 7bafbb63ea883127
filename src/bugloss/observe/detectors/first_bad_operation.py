"""first-bad-operation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from bugloss.core.diagnosis import Site, Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import NonFinite, Numbers, Recording
from bugloss.observe.sketch import falling, sketch

_FORWARD = NonFinite(60, "forward", "fc2", "log", Site("train.py", 31), (Numbers((64, 10), "float32", 0.0, 1.0),))
_BACKWARD = NonFinite(3, "backward", "fc1", "sqrt", Site("train.py", 18))
_DIED = [*falling(count=60), *[math.nan] * 40]
_WORDS = {
    "forward": "returns NaN or infinity for finite inputs in the forward pass",
    "backward": "returns NaN or infinity in the backward pass",
    "loss": "makes the loss NaN or infinite",
    "weights": "leaves NaN or infinity in the weights",
    "input": "gets NaN or infinity in its input",
}


class FirstBadOperation(Detector):
    """The first operation that returns NaN or infinity for finite inputs.

    ## What it finds
    The earliest place, forward or backward, at which values are NaN or infinite, with layer, operation and line.

    ## Why it hurts
    A NaN loss shows up far from its origin; everything after the first bad operation is only a consequence.

    ## How it decides
    By the first event that the probe recorded. It is an error when loss, gradients or weights are not finite from then
    on. Where they stay finite it is advice: masks are often filled with minus infinity on purpose.

    ## Known problems
    Operations inside a compiled graph are not seen one by one; the layer is named then.

    ## References
    Fault catalogue, numeric: first-nonfinite-forward, first-nonfinite-backward; pytorch#160016 asks for it.
    """

    name = "first-bad-operation"
    severity = Severity.ERROR
    category = Category.TENSOR
    faulty = (
        sketch(_DIED, nonfinite=(_FORWARD,)),
        sketch([2.0, 1.9, 1.8, *[math.nan] * 17], nonfinite=(_BACKWARD, replace(_FORWARD, step=4))),
        sketch([math.nan] * 20, nonfinite=(NonFinite(0, "input"),)),
    )
    healthy = (sketch(_DIED), sketch([*falling(count=30), math.inf]))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        first = min(recording.nonfinite, key=lambda event: event.step, default=None)
        if first is None:
            return
        lasting = _lasts(recording, first.step)
        what = (first.operation if first.direction != "input" else "") or "The model"
        layer = f" of layer {first.layer}" if first.layer else ""
        line = f" ({first.site.path}:{first.site.line})" if first.site else ""
        did = _WORDS.get(first.direction, "returns NaN or infinity")
        yield self.symptom(
            f"{what}{layer}{line} {did} at step {first.step}{_range(first)}.",
            step=first.step,
            layer=first.layer or None,
            site=first.site,
            severity=Severity.ERROR if lasting else Severity.ADVICE,
            direction=first.direction,
            operation=first.operation,
            inputs=[[numbers.minimum, numbers.maximum] for numbers in first.inputs],
            lasting=lasting,
        )


def _range(event: NonFinite) -> str:
    if not event.inputs or event.inputs[0].nonfinite:
        return ""
    return f"; its input ranges from {event.inputs[0].minimum:.3g} to {event.inputs[0].maximum:.3g}"


def _lasts(recording: Recording, since: int) -> bool:
    """Whether anything that matters is not finite from that step on, or nothing is known of what came after."""
    losses = [step.loss for step in recording.steps if step.step >= since and step.loss is not None]
    if not losses or any(not math.isfinite(loss) for loss in losses[-3:]):
        return True
    skipped = {step.step for step in recording.steps if step.skipped}
    return any(
        numbers.weight_nonfinite or (numbers.gradient_nonfinite and sample.step not in skipped)
        for sample in recording.samples
        if sample.step >= since
        for numbers in sample.layers.values()
    )
