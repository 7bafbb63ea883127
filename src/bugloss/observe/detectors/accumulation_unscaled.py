"""accumulation-unscaled."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import progress, struggles
from bugloss.observe.rates import main_optimizer
from bugloss.observe.recording import LossFunction, Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.trends import share

_LEAST_STEPS = 5  # fewer updates may be a warm-up with another number of batches
_NEARLY_ALL = 0.8  # the last update of an epoch gathers fewer batches, so not all of them need to show it
_UNSCALED = 0.9  # of the loss: one tenth is left for penalties that are not part of what was recorded
_TELLING = 3  # batches: a first loss of twice that of guessing has other reasons
# Of the loss at chance level per batch: random initialisation stays about this close.
_LEAST_TIMES, _MOST_TIMES = 0.7, 1.5
_SCALE = "accumulated_scale"
_SGD = {"kind": "SGD", "settings": {"learning_rate": 0.1}}
_SECOND = (LossFunction("mse", "mse_loss"), LossFunction("mae", "l1_loss"))


def _accumulating(times: int, scale: float | None) -> dict[str, object]:
    return {"backwards": times, "metrics": {} if scale is None else {_SCALE: scale}}


class AccumulationUnscaled(Detector):
    """Gradients of several batches are summed without dividing the loss.

    ## What it finds
    Several backward passes before each update, with losses that are not scaled down.

    ## Why it hurts
    The gradient is too large by the number of accumulated batches. With plain SGD this multiplies the learning rate;
    gradients are clipped more often.

    ## How it decides
    The probe compares what was propagated back with what the loss function returned: over four batches it should be a
    quarter. Where it cannot tell, the first loss must be about N times the chance level for N accumulated batches.
    Eight in ten updates must show it. It is a warning for SGD when the model does not learn, advice otherwise: Adam and
    other adaptive optimizers are not affected by the scale. Several different losses are terms of one sum, not
    accumulation.

    ## Known problems
    A loss that was put together by hand has no loss function to compare with.

    ## References
    Hugging Face, gradient accumulation: the loss is divided by the number of steps.
    """

    name = "accumulation-unscaled"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch([2.3] * 100, optimizer=_SGD, steps=_accumulating(8, 1.0)),
        sketch(steps=_accumulating(4, 1.0)),
        sketch(falling(9.2, 1.0), steps=_accumulating(4, None)),
    )
    healthy = (
        sketch(optimizer=_SGD, steps=_accumulating(4, 0.25)),
        sketch(optimizer=_SGD, steps=_accumulating(4, None)),
        sketch(optimizer=_SGD, steps=_accumulating(1, 1.0)),
        sketch(optimizer=_SGD, steps=_accumulating(2, 1.0), loss_functions=_SECOND),
        sketch(steps={**_accumulating(2, 1.0), "optimizer": ["optimizer-0", "optimizer-1"] * 50}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        steps = recording.steps
        if len({step.optimizer for step in steps}) > 1 or len({loss.name for loss in recording.losses}) > 1:
            return
        if any(loss.reduction == "sum" for loss in recording.losses):
            return
        gathered = [step.backwards for step in steps if step.backwards is not None]
        times = median(gathered) if len(gathered) >= _LEAST_STEPS else 1
        if share(count > 1 for count in gathered) < _NEARLY_ALL or not _is_unscaled(recording, times):
            return
        optimizer = main_optimizer(recording)
        plain = optimizer is not None and optimizer.kind == "SGD"
        yield self.symptom(
            f"Each update sums the gradients of {times:g} batches, but the loss is not divided by {times:g}.",
            step=steps[0].step,
            site=recording.losses[0].site if recording.losses else None,
            severity=Severity.WARNING if plain and struggles(recording) else Severity.ADVICE,
            backward_passes=times,
        )


def _is_unscaled(recording: Recording, times: float) -> bool:
    """Whether what was propagated back is as large as the loss function left it."""
    scales = [step.metrics[_SCALE] for step in recording.steps if _SCALE in step.metrics]
    if scales:
        return share(scale > _UNSCALED for scale in scales) >= _NEARLY_ALL
    known = progress(recording)
    if known is None or known.chance is None or times < _TELLING:
        return False
    # The losses of all backward passes were added up: at first each of them costs what guessing costs.
    return _LEAST_TIMES <= known.curve.first / (times * known.chance.loss) <= _MOST_TIMES
