"""input-ignored."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import number
from bugloss.observe.progress import struggles
from bugloss.observe.recording import PropertyAnswer, Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.underperformance import beats_chance

_PROPERTY = "input-matters"
_SAME = PropertyAnswer(_PROPERTY, False, {"loss_real": 2.29, "loss_zero": 2.29})


class InputIgnored(Detector):
    """The model does as well on inputs of zeros as on real inputs.

    ## What it finds
    Models for whose loss it makes no difference whether inputs are real or all zero.

    ## Why it hurts
    The output does not depend on the input: it is disconnected, overwritten or lost in saturated layers.

    ## How it decides
    A property probe trains copies on real and on zeroed inputs and compares the losses. It is a warning where the run
    does not learn although its weights change; otherwise advice, since the comparison means nothing when weights do not
    change, and the test may be too short. A model that learned its task, or can overfit one batch, uses its input: then
    nothing is reported.

    ## Known problems
    Data that contain no information about the labels give the same result.

    ## References
    Karpathy, "A recipe for training neural networks" (2019), input-independent baseline; TheDeepChecker (2023).
    """

    name = "input-ignored"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch([2.3] * 100, properties=(_SAME,)),
        sketch([2.3] * 100, properties=(PropertyAnswer(_PROPERTY, False),), samples=()),
    )
    healthy = (
        sketch(properties=(PropertyAnswer(_PROPERTY, True, {"loss_real": 0.1, "loss_zero": 2.3}),)),
        sketch(properties=(PropertyAnswer(_PROPERTY, None),)),
        sketch(properties=(_SAME,)),
        sketch([2.3] * 100, properties=(_SAME, PropertyAnswer("overfit-batch", True, {"last_loss": 0.01}))),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        answer = recording.property(_PROPERTY)
        if answer is None or answer.holds is not False or beats_chance(recording):
            return
        overfit = recording.property("overfit-batch")
        if overfit is not None and overfit.holds:
            return
        real, zero = number(answer.facts, "loss_real"), number(answer.facts, "loss_zero")
        numbers = f" ({real:.3g} and {zero:.3g})" if real is not None and zero is not None else ""
        moves = any(layer.changed for sample in recording.samples for layer in sample.layers.values())
        yield self.symptom(
            f"The loss is the same for real inputs and for inputs of zeros{numbers}.",
            step=answer.step,
            severity=Severity.WARNING if moves and struggles(recording) else Severity.ADVICE,
            loss_real=real,
            loss_zero=zero,
        )
