"""parameters-in-two-optimizers."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import OptimizerUse, Recording
from bugloss.observe.sketch import sketch

_LEAST_STEPS = 5  # of each: a change of the optimizer in the course of a training is no taking turns


def _uses(shared: int, alternating: bool = True, steps: int = 50) -> tuple[OptimizerUse, ...]:
    return (
        OptimizerUse("optimizer-0", steps, 4, {"optimizer-1": shared} if shared else {}, 4, alternating),
        OptimizerUse("optimizer-1", steps, 8, {"optimizer-0": shared} if shared else {}, 8, alternating),
    )


class ParametersInTwoOptimizers(Detector):
    """Two optimizers that take turns hold the same parameters.

    ## What it finds
    Parameters that are stepped twice, by optimizers of two losses.

    ## Why it hurts
    What one loss moves, the other moves back; the momentum of each is wrong for the other. In adversarial training the
    generator helps its own judge. Mostly an optimizer was given the parameters of the whole instead of its part.

    ## How it decides
    A warning where one of the two holds every parameter of the other, and more. Common trunks of two heads are shared
    on purpose at times: advice.

    ## Known problems
    Optimizers that are used one after the other, not in turns, are left alone.

    ## References
    Relation "every parameter with a gradient is in exactly one optimizer".
    """

    name = "parameters-in-two-optimizers"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (sketch(optimizer_uses=_uses(4)), sketch(optimizer_uses=_uses(2)))
    healthy = (
        sketch(optimizer_uses=_uses(0)),
        sketch(optimizer_uses=_uses(4, alternating=False)),
        sketch(optimizer_uses=_uses(4, steps=2)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        uses = {use.optimizer: use for use in recording.optimizer_uses}
        for use in recording.optimizer_uses:
            for name, count in use.shared.items():
                other = uses.get(name)
                if other is None or name <= use.optimizer or not use.alternating:
                    continue
                if min(use.steps, other.steps) < _LEAST_STEPS or count <= 0:
                    continue
                small, large = sorted((use, other), key=lambda one: one.parameters)
                swallowed = count >= small.parameters and large.parameters > small.parameters
                yield self.symptom(
                    f"{count} parameters are stepped by two optimizers in turn, of {use.parameters} and "
                    f"{other.parameters} parameters.",
                    site=large.site,
                    severity=Severity.WARNING if swallowed else Severity.ADVICE,
                    shared=count,
                )
                return
