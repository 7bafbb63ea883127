"""optimizer-never-steps."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import OptimizerUse, Recording
from bugloss.observe.sketch import sketch

_LEAST_STEPS = 10  # of the others: before that its turn may still come
_WORKING = OptimizerUse("optimizer-0", 100, 4, parameters=4)


class OptimizerNeverSteps(Detector):
    """An optimizer was made for parameters that get gradients, and never steps.

    ## What it finds
    Optimizers without a single step while another one steps, whose parameters no stepping optimizer holds.

    ## Why it hurts
    Its part of the model stays as it was initialised: an encoder, a discriminator, one of two heads. The other part
    learns to live with that, so that the loss falls all the same.

    ## How it decides
    A warning where gradients arrived at its parameters, another optimizer made ten steps or more, and none that steps
    shares its parameters.

    ## Known problems
    An optimizer that is made for a later stage which the run did not reach looks the same, unless its parameters had no
    gradient yet.

    ## References
    Relation "every sub-network that is to learn is stepped by some optimizer".
    """

    name = "optimizer-never-steps"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(optimizer_uses=(_WORKING, OptimizerUse("optimizer-1", 0, 6, parameters=6))),
        sketch(optimizer_uses=(OptimizerUse("optimizer-1", 0, 1, parameters=6), _WORKING)),
    )
    healthy = (
        sketch(optimizer_uses=(_WORKING,)),
        sketch(optimizer_uses=(_WORKING, OptimizerUse("optimizer-1", 90, 6, parameters=6))),
        sketch(optimizer_uses=(_WORKING, OptimizerUse("optimizer-1", 0, 0, parameters=6))),
        sketch(optimizer_uses=(_WORKING, OptimizerUse("optimizer-1", 0, 4, {"optimizer-0": 4}, 4))),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        most = max((use.steps for use in recording.optimizer_uses), default=0)
        for use in recording.optimizer_uses:
            alone = use.graded - max(use.shared.values(), default=0)
            if use.steps == 0 and alone > 0 and most >= _LEAST_STEPS:
                yield self.symptom(
                    f"An optimizer of {use.parameters} parameters, {use.graded} of them with gradients, made no step "
                    f"while another made {most}.",
                    site=use.site,
                    parameters=use.parameters,
                    with_gradient=use.graded,
                    other_steps=most,
                )
