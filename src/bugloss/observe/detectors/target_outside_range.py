"""target-outside-range."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.activation import Activation
from bugloss.core.network.loss import regresses
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.heads import RecordedHead, main_head
from bugloss.observe.labels import known_targets
from bugloss.observe.recording import Numbers, Recording
from bugloss.observe.sketch import sketch

_MARGIN = 0.1  # of the targets' deviation: label noise and rounding may stray this far
_MSE = {"kind": "mse", "name": "MSELoss", "output_shape": (64, 1), "target_shape": (64, 1)}
_POSITIVE = Numbers((64, 1), "float32", 0.0, 0.9, 0.5, 0.1)


def _targets(low: float, high: float, mean: float, std: float) -> Numbers:
    return Numbers((64, 1), "float32", low, high, mean, std)


class TargetOutsideRange(Detector):
    """Targets are outside the range of the output activation.

    ## What it finds
    Regression targets beyond the range of the activation of the output layer: negative targets after a ReLU, targets
    above 1 after a sigmoid or softmax, targets beyond ±1 after a tanh.

    ## Why it hurts
    The loss cannot reach its minimum. The outputs saturate at the end of the range, where gradients vanish.

    ## How it decides
    The range of the last activation is compared with the smallest and largest target, with a margin of a tenth of the
    targets' deviation. It is an error when the mean of the targets is outside.

    ## Known problems
    A custom activation that the probe does not know is not seen.

    ## References
    TheDeepChecker (2023), check of the output range; DeepDiagnosis (2022).
    """

    name = "target-outside-range"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(
            loss=_MSE, model={"output_activation": "sigmoid"},
            batch={"target": _targets(-40.0, 320.0, 150.0, 70.0), "outputs": _POSITIVE},
        ),
        sketch(
            loss=_MSE, model={"output_activation": "relu"},
            batch={"target": _targets(-3.0, 3.0, 0.1, 1.0), "outputs": _POSITIVE},
        ),
    )  # fmt: skip
    healthy = (
        sketch(
            loss=_MSE, model={"output_activation": "relu"},
            batch={"target": _targets(0.0, 90.0, 20.0, 15.0), "outputs": _POSITIVE},
        ),
        sketch(
            loss=_MSE, model={"output_activation": "sigmoid"},
            batch={"target": _targets(-0.01, 1.01, 0.5, 0.3), "outputs": _POSITIVE},
        ),
        sketch(
            loss=_MSE, model={"output_activation": "sigmoid"},  # scaled back before the loss
            batch={"target": _targets(0.0, 90.0, 20.0, 15.0), "outputs": _targets(3.0, 88.0, 20.0, 15.0)},
        ),
        sketch(loss=_MSE, model={"output_activation": "linear"}, batch={"target": _targets(-3.0, 3.0, 0.1, 1.0)}),
    )  # fmt: skip

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        targets = known_targets(recording)
        head = main_head(recording)
        if not targets or head is None:
            return
        low, high = min(item.minimum for item in targets), max(item.maximum for item in targets)
        if regresses(head.loss.kind) and head.activation is not None:
            yield from self._compare(head, head.activation, low, high, targets[0])

    def _compare(
        self, head: RecordedHead, last: Activation, low: float, high: float, target: Numbers
    ) -> Iterator[Symptom]:
        least, largest = last.low, last.high
        margin = _MARGIN * target.std
        if low >= least - margin and high <= largest + margin:
            return
        outside = target.mean < least or target.mean > largest
        yield self.symptom(
            f"The targets range from {low:.4g} to {high:.4g}, but {last.name} outputs only {_range(least, largest)}.",
            step=0,
            site=head.loss.site,
            severity=Severity.ERROR if outside else Severity.WARNING,
            least_target=low,
            largest_target=high,
            activation=last.name,
        )


def _range(least: float, largest: float) -> str:
    if math.isinf(largest):
        return f"values above {least:g}"
    return f"values below {largest:g}" if math.isinf(least) else f"values between {least:g} and {largest:g}"
