"""gradients-cleared-before-step."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch

_OFTEN = 0.5  # of the updates: fewer may belong to another model
_LEAST = 3  # updates: once or twice may be a set-up step
_EACH = (Occasion("cleared-before-step", 0, 100),)
_NOTHING = {name: {"gradient_rms": None, "changed": False} for name in ("fc1", "fc2")}
_ZERO = {name: {"gradient_rms": 0.0, "changed": False} for name in ("fc1", "fc2")}


class GradientsClearedBeforeStep(Detector):
    """Gradients are cleared before the optimizer uses them.

    ## What it finds
    Programs that clear the gradients between the backward pass and the update.

    ## Why it hurts
    The optimizer has no gradients. The weights never change, or only by weight decay and momentum.

    ## How it decides
    The probe sees the order of the calls. It counts only where, on the sampled updates, all gradients were zero or
    missing when the optimizer stepped: with several models, gradients of another one may have been cleared.

    ## Known problems
    None known.

    ## References
    ``torch.optim.Optimizer.zero_grad``; TrainCheck (2025).
    """

    name = "gradients-cleared-before-step"
    severity = Severity.ERROR
    category = Category.API
    faulty = (
        sketch([2.3] * 100, occasions=_EACH, layers=_NOTHING, steps={"gradient_norm": None}),
        sketch([2.3] * 100, occasions=_EACH, layers=_ZERO, steps={"gradient_norm": 0.0}),
    )
    healthy = (
        sketch(occasions=_EACH),
        sketch(),
        sketch([2.3] * 100, layers=_ZERO, steps={"gradient_norm": 0.0}),
        sketch(occasions=(Occasion("cleared-before-step", 0, 1),), layers=_NOTHING, steps={"gradient_norm": None}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        found = [occasion for occasion in recording.occasions if occasion.kind == "cleared-before-step"]
        times = sum(occasion.count for occasion in found)
        if times < max(_LEAST, _OFTEN * len(recording.steps)) or not recording.samples or _any_gradient(recording):
            return
        yield self.symptom(
            f"In {times} of {len(recording.steps)} updates the gradients are cleared between backward() and step().",
            step=found[0].step,
            site=found[0].site,
            times=times,
            updates=len(recording.steps),
        )


def _any_gradient(recording: Recording) -> bool:
    if any(step.gradient_norm for step in recording.steps):
        return True
    return any(numbers.gradient_rms for sample in recording.samples for numbers in sample.layers.values())
