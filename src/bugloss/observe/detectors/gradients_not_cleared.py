"""gradients-not-cleared."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Recording, TrainingStep
from bugloss.observe.sketch import falling, sketch

_LEAST = 3  # updates: once or twice may be a set-up step
# Of the updates; with several optimizers a pass for one reaches the other, so nearly all are asked for.
_OFTEN, _NEARLY_ALWAYS = 0.5, 0.9


class GradientsNotCleared(Detector):
    """Gradients of earlier steps are still there when the next backward pass begins.

    ## What it finds
    Updates whose first backward pass added to gradients that an earlier update had already used.

    ## Why it hurts
    Every update then includes the gradients of all earlier ones. Updates grow with the length of the run, and the loss
    oscillates or explodes, whatever the learning rate.

    ## How it decides
    Before each update the probe notes whether the gradients were zero or absent when the first backward pass since the
    last update began. From the second update on they must be. It is reported when they were not in at least half of the
    updates, and at least three. Gradient accumulation clears once per update and is not reported. With several
    optimizers a backward pass for one may reach parameters of the other, so nine in ten are required.

    ## Known problems
    Keras clears gradients itself, so nothing is reported.

    ## References
    ``torch.optim.Optimizer.zero_grad``; pytorch/pytorch#47175 (requests this warning); TrainCheck (2025).
    """

    name = "gradients-not-cleared"
    severity = Severity.ERROR
    category = Category.API
    faulty = (
        sketch(steps={"cleared": [True, False]}),
        sketch(falling(2.3, 9.0), steps={"cleared": [True] + [False] * 9 + [True] + [False] * 9, "backwards": 1}),
    )
    healthy = (
        sketch(steps={"backwards": 4, "cleared": True}),
        sketch(steps={"cleared": [True, False, True, True]}),
        sketch(steps={"cleared": None}),
        sketch(steps={"cleared": [True, False] * 50, "optimizer": ["optimizer-0", "optimizer-1"] * 50}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        steps = _comparable(recording)
        kept = [step for step in steps if step.cleared is False]
        several = len({step.optimizer for step in recording.steps}) > 1
        if len(kept) < _LEAST or len(kept) < (_NEARLY_ALWAYS if several else _OFTEN) * len(steps):
            return
        yield self.symptom(
            f"{len(kept)} of {len(steps)} updates add to gradients that an earlier update has already used.",
            step=kept[0].step,
            site=next((item.site for item in recording.optimizers if item.optimizer == kept[0].optimizer), None),
            uncleared=len(kept),
            updates=len(steps),
        )


def _comparable(recording: Recording) -> list[TrainingStep]:
    """Updates after the first of their optimizer that say whether gradients were cleared."""
    seen: set[str] = set()
    steps = []
    for step in recording.steps:
        if step.optimizer in seen and step.cleared is not None:
            steps.append(step)
        seen.add(step.optimizer)
    return steps
