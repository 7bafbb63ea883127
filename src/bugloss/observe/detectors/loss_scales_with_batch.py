"""loss-scales-with-batch."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import number
from bugloss.observe.progress import adversaries, progress
from bugloss.observe.recording import PropertyAnswer, Recording
from bugloss.observe.sketch import falling, sketch

_PROPERTY = "batch-scale"
_GROWN = 1.5  # times the loss for a batch of twice the size: a sum gives 2, a mean 1
_DOUBLED = PropertyAnswer(_PROPERTY, False, {"loss": 140.0, "loss_doubled": 280.0, "ratio": 2.0})


class LossScalesWithBatch(Detector):
    """The loss is a sum over the batch, not a mean.

    ## What it finds
    Losses that double when every sample of the batch is given twice, and losses with ``reduction="sum"``.

    ## Why it hurts
    Gradients grow with the batch size, so that the learning rate must change with it; a shorter last batch counts less,
    and losses of different batch sizes cannot be compared.

    ## How it decides
    By a property probe on a copy, or by the reduction that the loss function was given. It is a warning where the loss
    grows or becomes NaN, as with gradients that are too large; advice otherwise: variational models sum on purpose.

    ## Known problems
    A loss that is divided by hand afterwards is recognised by the probe only.

    ## References
    ``reduction`` of PyTorch's and Keras's losses; TheDeepChecker (2023).
    """

    name = "loss-scales-with-batch"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(falling(147.0, 900.0), loss={"reduction": "sum"}, properties=(_DOUBLED,)),
        sketch(properties=(_DOUBLED,)),
        sketch(loss={"reduction": "sum"}),
    )
    healthy = (
        sketch(properties=(PropertyAnswer(_PROPERTY, True, {"loss": 2.3, "loss_doubled": 2.3, "ratio": 1.0}),)),
        sketch(loss={"reduction": "sum"}, properties=(PropertyAnswer(_PROPERTY, True, {"ratio": 1.0}),)),
        sketch(loss={"reduction": "none"}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        answer = recording.property(_PROPERTY)
        if answer is not None and answer.holds is True:
            return
        summed = next((loss for loss in recording.losses if loss.reduction == "sum"), None)
        tried = answer is not None and answer.holds is False
        if not tried and summed is None:
            return
        ratio = number(answer.facts, "ratio") if answer is not None else None
        text = (
            f"grows by a factor of {ratio:.2g} when the batch is doubled"
            if tried and ratio
            else "is a sum over the batch"
        )
        yield self.symptom(
            f"The loss {text}.",
            step=answer.step if answer is not None else 0,
            site=summed.site if summed is not None else None,
            severity=Severity.WARNING if _is_unstable(recording) else Severity.ADVICE,
            ratio=ratio,
        )


def _is_unstable(recording: Recording) -> bool:
    if any(not math.isfinite(loss) for loss in recording.loss_values):
        return True
    known = progress(recording)
    return known is not None and not adversaries(recording) and known.curve.last > _GROWN * known.curve.first > 0
