"""cannot-overfit-batch."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import number
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import PropertyAnswer, Recording
from bugloss.observe.sketch import sketch

_PROPERTY = "overfit-batch"
_FAILED = PropertyAnswer(_PROPERTY, False, {"first_loss": 2.3, "last_loss": 2.2, "steps": 100, "accuracy": 0.2})


class CannotOverfitBatch(Detector):
    """The model cannot overfit one small batch.

    ## What it finds
    Models whose copy, trained repeatedly on a single batch, does not reduce its loss.

    ## Why it hurts
    A correct model overfits a handful of samples quickly. One that cannot has a fault in its structure, its loss, its
    optimizer or the way they are connected, and more data will not help.

    ## How it decides
    A property probe trains a copy on one batch with the program's own loss. It is a warning where the run does not
    learn either, advice otherwise.

    ## Known problems
    Strong dropout or regularization slows this down; the probe has a budget and may stop too early.

    ## References
    Karpathy, "A recipe for training neural networks" (2019); TheDeepChecker (2023).
    """

    name = "cannot-overfit-batch"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (sketch([2.3] * 100, properties=(_FAILED,)), sketch(properties=(PropertyAnswer(_PROPERTY, False),)))
    healthy = (
        sketch(properties=(PropertyAnswer(_PROPERTY, True, {"first_loss": 2.3, "last_loss": 0.01, "steps": 80}),)),
        sketch(properties=(PropertyAnswer(_PROPERTY, None),)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        answer = recording.property(_PROPERTY)
        if answer is None or answer.holds is not False:
            return
        first, last = number(answer.facts, "first_loss"), number(answer.facts, "last_loss")
        steps = number(answer.facts, "steps")
        course = f": it goes from {first:.3g} to {last:.3g}" if first is not None and last is not None else ""
        trial = f" for {steps:.0f} steps" if steps else ""
        yield self.symptom(
            f"Trained on one batch only{trial}, the loss does not fall{course}.",
            step=answer.step,
            severity=alarm_if_struggling(recording),
            first_loss=first,
            last_loss=last,
            steps=steps,
            accuracy=number(answer.facts, "accuracy"),
        )
