"""loss-nonfinite."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Recording, TrainingStep
from bugloss.observe.sketch import falling, sketch

_NAN, _INF = math.nan, math.inf


class NonfiniteLoss(Detector):
    """The loss is NaN or infinite.

    ## What it finds
    A step, an epoch or a validation whose loss is NaN or infinite.

    ## Why it hurts
    The gradients of such a loss are NaN too; one update later the weights are too, and they do not recover.

    ## How it decides
    By the first loss that is not finite. It is an error while the losses that follow are not finite either, and a
    warning when they recover. Steps that a gradient scaler skipped are left out: mixed precision expects infinities
    there.

    ## Known problems
    A program that hides NaN from its log (``nan_to_num``, a filter) is seen only where the probe sees the loss itself.

    ## References
    Fault catalogue, training dynamics: loss-nonfinite.
    """

    name = "loss-nonfinite"
    severity = Severity.ERROR
    category = Category.TRAINING
    faulty = (
        sketch([*falling(count=60), *[_NAN] * 40]),
        sketch([2.3, 40.0, 1e9, _INF, *[_NAN] * 16]),
        sketch(validation=[2.0, 1.5, _NAN]),
    )
    healthy = (
        sketch([*falling(count=50), _INF, *falling(0.4, 0.2, 49)], steps={"skipped": [*[False] * 50, True, False]}),
        sketch([1e30 * value for value in falling()]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        losses = [step for step in recording.steps if step.loss is not None and not step.skipped]
        first = next((index for index, step in enumerate(losses) if not _finite(step)), None)
        if first is not None:
            yield self._of_step(losses, first)
        else:
            yield from self._of_epochs(recording)

    def _of_step(self, losses: list[TrainingStep], first: int) -> Symptom:
        step, later = losses[first], losses[first + 1 :]
        recovered = bool(later) and all(_finite(each) for each in later[-3:])
        before = losses[first - 1].loss if first else None
        history = f"; it was {before:.3g} in the step before" if before is not None else ""
        return self.symptom(
            f"The loss is {step.loss} at step {step.step}{history}.",
            step=step.step,
            severity=Severity.WARNING if recovered else Severity.ERROR,
            loss=step.loss,
            before=before,
            bad_steps=sum(not _finite(each) for each in losses),
            recovered=recovered,
        )

    def _of_epochs(self, recording: Recording) -> Iterator[Symptom]:
        stepwise = any(step.loss is not None for step in recording.steps)
        for epoch in recording.epochs:
            for phase, loss in (("training", None if stepwise else epoch.loss), ("validation", epoch.validation_loss)):
                if loss is not None and not math.isfinite(loss):
                    message = f"The {phase} loss of epoch {epoch.epoch} is {loss}."
                    severity = Severity.ERROR if phase == "training" else Severity.WARNING
                    yield self.symptom(message, step=epoch.step, severity=severity, loss=loss, phase=phase)
                    return


def _finite(step: TrainingStep) -> bool:
    return step.loss is None or math.isfinite(step.loss)
