"""loss-negative."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.loss import never_negative
from bugloss.core.taxonomy import Category
from bugloss.observe.chance import only_loss
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Batch, LossFunction, Numbers, Recording
from bugloss.observe.sketch import falling, sketch

_ROUNDING = 1e-5  # single precision gives -0.00001 for a loss of zero
_THROUGHOUT = 0.9  # of the losses: the first ones may still be positive
_SINKING = [0.6 - 0.05 * index for index in range(100)]
_BINARY = {"kind": "binary-cross-entropy", "name": "BCELoss"}


class NegativeLoss(Detector):
    """A loss is negative that cannot be.

    ## What it finds
    Cross-entropies, squared and absolute errors and hinge losses that are negative.

    ## Why it hurts
    Such a loss has no lower bound: training decreases it without learning the task. The usual cause is targets or
    outputs outside the range that the loss is defined for, or a wrong sign.

    ## How it decides
    The loss function must be known, the only one of its kind, and negative by more than rounding. It is an error where
    targets outside 0 to 1, or outputs that are not log-probabilities, explain it, and a warning where the loss is
    negative throughout. A loss that changes its sign has other terms, such as a reward, and is left out.

    ## Known problems
    A loss with several terms may be negative without a fault.

    ## References
    Fault catalogue, training dynamics: loss-negative.
    """

    name = "loss-negative"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(_SINKING, loss=_BINARY, batch={"target": Numbers((64,), "float32", 0.0, 255.0, 120.0, 70.0)}),
        sketch(_SINKING, loss={"kind": "nll", "name": "NLLLoss"}),
        sketch([-value for value in falling()], loss={"kind": "mse", "name": "MSELoss"}),
    )
    healthy = (
        sketch(_SINKING, loss={"kind": "custom", "name": "elbo"}),
        sketch([*falling(), -1e-7], loss=_BINARY),
        sketch([3.0, -2.0, 5.0, -1.0] * 20, loss={"kind": "huber", "name": "smooth_l1_loss"}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        loss = only_loss(recording)
        if loss is None or not never_negative(loss.kind):
            return
        values = [(step.step, step.loss) for step in recording.steps if step.loss is not None]
        negative = [(step, value) for step, value in values if value < -_ROUNDING]
        if not negative:
            return
        why = _explanation(recording, loss)
        if not why and len(negative) <= _THROUGHOUT * len(values):
            return  # another term was added to the loss: rewards, likelihoods, a bonus
        yield self.symptom(
            f"{loss.name} cannot be negative, but it is {negative[0][1]:.3g} at step {negative[0][0]}{why}.",
            step=negative[0][0],
            site=loss.site,
            severity=Severity.ERROR if why else Severity.WARNING,
            loss=negative[0][1],
            lowest=min(value for _, value in negative),
            negative_steps=len(negative),
            kind=loss.kind,
        )


def _explanation(recording: Recording, loss: LossFunction) -> str:
    batches = [batch for batch in recording.batches if batch.phase == "train"]
    if loss.kind in {"binary-cross-entropy", "cross-entropy"}:
        return next((words for batch in batches if (words := _outside(batch.target))), "")
    return next((words for batch in batches if (words := _no_logarithm(batch))), "") if loss.kind == "nll" else ""


def _outside(target: Numbers | None) -> str:
    """Targets that should be probabilities or 0 and 1, but are outside that range; not class indices."""
    if target is None or not target.dtype.startswith("float") or (target.minimum >= 0 and target.maximum <= 1):
        return ""
    return f"; its targets range from {target.minimum:.3g} to {target.maximum:.3g}, not from 0 to 1"


def _no_logarithm(batch: Batch) -> str:
    if batch.outputs is None or batch.outputs.maximum <= _ROUNDING:
        return ""
    return f"; its inputs reach {batch.outputs.maximum:.3g}, so they are not log-probabilities"
