"""epsilon-extreme."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import is_norm, layers_in_order, number
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import RecordedLayer, Recording
from bugloss.observe.sketch import sketch

# Defaults are 1e-8 to 1e-7; above 0.01 it outweighs usual gradients, below 1e-12 single precision drops it.
_LARGE, _TINY = 0.01, 1e-12
_LARGE_FOR_NORM = 0.1  # of a variance that is meant to be one: a tenth changes the scale visibly


def _adam(epsilon: float) -> dict[str, object]:
    return {"settings": {"learning_rate": 0.001, "epsilon": epsilon}}


class EpsilonExtreme(Detector):
    """The epsilon that prevents division by zero is too large, or too small to have an effect.

    ## What it finds
    An epsilon of an adaptive optimizer of 0.01 or more, or below 1e-12, and a norm layer's epsilon of 0.1 or more.

    ## Why it hurts
    A large epsilon outweighs the averaged gradients, so that Adam takes tiny steps like plain SGD. One that is lost in
    rounding allows division by zero, and weights become infinite. In a normalization layer a large epsilon keeps small
    signals small.

    ## How it decides
    By the settings. It is a warning where the model does not learn or its loss is NaN, advice otherwise.

    ## Known problems
    Some published recipes use an epsilon of 0.1 or 1 on purpose.

    ## References
    Kingma and Ba, Adam (2015); TensorFlow's note that 1e-8 may not be a good default.
    """

    name = "epsilon-extreme"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch([2.3] * 100, optimizer=_adam(1.0)),
        sketch([2.3, math.nan, math.nan], optimizer=_adam(1e-20)),
        sketch(
            architecture=(
                RecordedLayer("bn", "BatchNorm1d", 80, 80, {"epsilon": 0.5}),
                RecordedLayer("fc", "Linear", 99, 99),
            )
        ),
    )
    healthy = (
        sketch(optimizer=_adam(1e-8)),
        sketch(optimizer=_adam(1e-3)),
        sketch(architecture=(RecordedLayer("bn", "BatchNormalization", 80, 40, {"epsilon": 0.001}),)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for optimizer in recording.optimizers:
            epsilon = number(optimizer.settings, "epsilon", "eps")
            if epsilon is not None and not _TINY <= epsilon < _LARGE and optimizer.kind != "Adafactor":
                yield self.symptom(
                    f"The epsilon of {optimizer.kind} is {epsilon:g}.",
                    step=0,
                    site=optimizer.site,
                    severity=alarm_if_struggling(recording),
                    epsilon=epsilon,
                )
        for _, layer in layers_in_order(recording):
            epsilon = number(layer.settings, "epsilon", "eps")
            if is_norm(layer) and epsilon is not None and epsilon >= _LARGE_FOR_NORM:
                yield self.symptom(
                    f"The epsilon of {layer.name} ({layer.kind}) is {epsilon:g}.",
                    step=0,
                    layer=layer.name,
                    site=layer.site,
                    severity=alarm_if_struggling(recording),
                    epsilon=epsilon,
                )
