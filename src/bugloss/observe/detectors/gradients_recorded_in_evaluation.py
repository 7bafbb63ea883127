"""gradients-recorded-in-evaluation."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.modes import is_measured
from bugloss.observe.recording import Evaluation, Recording
from bugloss.observe.sketch import sketch

_LEAST = 3  # batches: one or two may be a look at the model


class GradientsRecordedInEvaluation(Detector):
    """Evaluation records a graph for gradients that are never computed.

    ## What it finds
    Evaluations of several batches, with a loss or an accuracy, that autograd recorded.

    ## Why it hurts
    It costs memory and time, and where results are kept, their graphs stay alive with them. Results are not wrong.

    ## How it decides
    Three batches or more of a measured evaluation whose outputs have a graph, in a program that trains as well.

    ## Known problems
    Forward passes whose backward pass comes much later look like an evaluation.

    ## References
    ``torch.no_grad``, ``torch.inference_mode``.
    """

    name = "gradients-recorded-in-evaluation"
    severity = Severity.ADVICE
    category = Category.API
    faulty = (
        sketch(evaluations=(Evaluation(99, 5, 320, 0.4, gradients_on=True),)),
        sketch(evaluations=(Evaluation(50, 5, 320), Evaluation(99, 9, 576, accuracy=0.9, gradients_on=True))),
    )
    healthy = (
        sketch(evaluations=(Evaluation(99, 5, 320, 0.4),)),
        sketch(evaluations=(Evaluation(99, 1, 64, 0.4, gradients_on=True),)),
        sketch([], evaluations=(Evaluation(0, 5, 320, 0.4, gradients_on=True),)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        recorded = [item for item in recording.evaluations if item.gradients_on and is_measured(item)]
        batches = sum(item.batches for item in recorded)
        if not recording.steps or batches < _LEAST:
            return
        yield self.symptom(
            f"{batches} evaluation batches are recorded for autograd, but no gradient is computed from them.",
            step=recorded[0].step,
            site=recorded[0].site,
            batches=batches,
            evaluations=len(recorded),
        )
