"""skipped-steps."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.trends import share

_LEAST_STEPS = 20  # a scaler starts high and skips its first steps on purpose
# Of the updates: a settled scaler skips one in two thousand; half of them means nothing is learned.
_OFTEN, _MOSTLY = 0.1, 0.5
_COLLAPSED = 1.0  # a scale below one makes gradients smaller, which defeats its purpose


class SkippedSteps(Detector):
    """The gradient scaler of mixed precision skips updates.

    ## What it finds
    Updates that were skipped because gradients overflowed, after the scaler had time to find its scale, and loss scales
    that have fallen below one.

    ## Why it hurts
    Skipped updates are lost. A scale that keeps falling means that gradients are infinite at any scale: the model
    itself overflows.

    ## How it decides
    Only the second half of the run counts, since a scaler starts high and skips its first steps on purpose. One
    update in ten is a warning, half of them an error. A loss scale below one is a warning.

    ## Known problems
    None known.

    ## References
    ``torch.amp.GradScaler``: the scale is halved at each overflow.
    """

    name = "skipped-steps"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(steps={"skipped": [False] * 50 + [True, False, False] * 20}),
        sketch(steps={"skipped": True, "loss_scale": [65536.0, 1.0, 1e-8]}),
    )
    healthy = (
        sketch(steps={"skipped": [True] * 6 + [False], "loss_scale": 1024.0}),
        sketch(steps={"skipped": [False] * 80 + [True, False], "loss_scale": 4096.0}),
        sketch([2.3, 2.2, 2.1], steps={"skipped": True}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        late = recording.steps[len(recording.steps) // 2 :]
        if len(recording.steps) < _LEAST_STEPS:
            return
        skipped = share(step.skipped for step in late)
        scales = [step.loss_scale for step in late if step.loss_scale is not None and math.isfinite(step.loss_scale)]
        collapsed = bool(scales) and scales[-1] < _COLLAPSED
        if skipped < _OFTEN and not collapsed:
            return
        yield self.symptom(
            f"{skipped:.0%} of the later updates were skipped because gradients overflowed"
            + (f", and the loss scale fell to {scales[-1]:.2g}." if collapsed else "."),
            step=next((step.step for step in late if step.skipped), late[0].step),
            severity=Severity.ERROR if skipped >= _MOSTLY else Severity.WARNING,
            skipped_share=skipped,
            loss_scale=scales[-1] if scales else None,
        )
