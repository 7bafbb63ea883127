"""loss-metric-disagreement."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.network.loss import classifies, regresses
from bugloss.core.taxonomy import Category
from bugloss.observe.chance import chance, only_loss
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Data, Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.trends import block_means, correlation

# Points of accuracy below the bound that is proved: metrics are averaged over an epoch, losses change in it.
_SLACK = 0.15
# Of the first error; the accuracy moves by less than 5 points and is no good one from the start.
_FAR_DOWN, _STILL, _GOOD = 0.3, 0.05, 0.8
_SQUARES = {"kind": "mse", "name": "mean_squared_error", "output_shape": (64, 1), "target_shape": (64,)}
_LEAST_POINTS = 5  # a relation of fewer points is an accident
_LEAST_FALL = 0.3  # of the loss: less may be noise
_RELATED = 0.5  # rank correlation of loss and accuracy, which should be negative
_WORSE = 0.05  # points of accuracy that are lost while the loss falls

Point = tuple[int, float, float]


class LossMetricDisagreement(Detector):
    """Loss and accuracy contradict each other.

    ## What it finds
    An accuracy lower than the cross-entropy allows, one that gets worse while the loss gets better, or one that is
    constant while a squared or absolute error of class indices falls.

    ## Why it hurts
    One of the two does not measure the task, and decisions that are based on it are wrong.

    ## How it decides
    A mean cross-entropy L leaves at most L/ln 2 of the samples with less than half of the probability on their class,
    so the accuracy is at least 1 - L/ln 2: less than that (by 15 points, three times in a row) is a warning for the
    accuracy that Keras reports, and advice for the one that the probe computes in PyTorch, which does not take ignored
    labels into account. So is a squared or absolute error that falls by 70 % over at least five points with an accuracy
    that moves by less than five. Advice: the loss falls by 30 %, and the accuracy falls with it.

    ## Known problems
    Weighted and masked losses are left out of the first test, since the bound does not hold for them.

    ## References
    Fault catalogue, training dynamics: loss-metric-disagree, metric-wrong.
    """

    name = "loss-metric-disagreement"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(falling(2.3, 0.05), accuracies=[0.1] * 10),
        sketch(falling(2.3, 1.0), accuracies=[0.5 - 0.03 * index for index in range(10)]),
        sketch(falling(12.0, 0.6), loss=_SQUARES, accuracies=[0.22, 0.21, 0.23]),
    )
    healthy = (
        sketch(falling(2.3, 0.3), accuracies=[0.1 + 0.08 * index for index in range(10)]),
        sketch(falling(0.69, 0.2), accuracies=[0.95] * 10),
        sketch(falling(2.3, 0.05), accuracies=[0.1] * 10, data={"class_weights": {"0": 0.01}}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        points, loss = _points(recording), only_loss(recording)
        if loss is None or not points:
            return
        if regresses(loss.kind) and not _real_targets(recording):
            yield from self._unmoved(points)
        elif classifies(loss.kind) and chance(recording) is not None and not _weighted(recording.data):
            ours = recording.started is None or recording.started.framework != "keras"
            yield from self._below_bound(points, ours) or self._opposed(points)

    def _below_bound(self, points: Sequence[Point], ours: bool) -> list[Symptom]:
        for run in zip(points, points[1:], points[2:], strict=False):
            if all(loss >= 0 and accuracy < _bound(loss) - _SLACK for _, loss, accuracy in run):
                step, loss, accuracy = run[-1]
                least = _bound(loss)
                message = (
                    f"A loss of {loss:.3g} implies an accuracy of at least {least:.0%}, but {accuracy:.0%} is reported."
                )
                severity = Severity.ADVICE if ours else Severity.WARNING
                return [self.symptom(message, step=step, severity=severity, loss=loss, accuracy=accuracy, least=least)]
        return []

    def _unmoved(self, points: Sequence[Point]) -> Iterator[Symptom]:
        losses, accuracies = [point[1] for point in points], [point[2] for point in points]
        still = max(accuracies) - min(accuracies) < _STILL and max(accuracies) < _GOOD
        if len(points) >= _LEAST_POINTS and losses[-1] < _FAR_DOWN * losses[0] and still:
            step, loss, accuracy = points[-1]
            message = f"The loss falls from {losses[0]:.3g} to {loss:.3g} while the accuracy stays at {accuracy:.0%}."
            yield self.symptom(message, step=step, loss=loss, accuracy=accuracy)

    def _opposed(self, points: Sequence[Point]) -> list[Symptom]:
        losses, accuracies = [point[1] for point in points], [point[2] for point in points]
        if len(points) < _LEAST_POINTS or losses[0] - losses[-1] < _LEAST_FALL * abs(losses[0]):
            return []
        related = correlation(losses, accuracies)
        if related is None or related < _RELATED or accuracies[0] - accuracies[-1] < _WORSE:
            return []
        message = (
            f"The loss falls from {losses[0]:.3g} to {losses[-1]:.3g}, but the accuracy falls too, from "
            f"{accuracies[0]:.0%} to {accuracies[-1]:.0%}."
        )
        return [self.symptom(message, step=points[-1][0], severity=Severity.ADVICE, correlation=related)]


def _bound(loss: float) -> float:
    return 1 - loss / math.log(2)


def _points(recording: Recording) -> list[Point]:
    """Step, loss and accuracy of training, by epochs or in ten parts of the steps."""
    known = _known((epoch.step, epoch.loss, epoch.accuracy) for epoch in recording.epochs)
    if known:
        return known
    columns = list(zip(*_known((step.step, step.loss, step.accuracy) for step in recording.steps), strict=True))
    if not columns:
        return []
    steps, losses, accuracies = (block_means(column, 10) for column in columns)
    return [(round(step), loss, hits) for step, loss, hits in zip(steps, losses, accuracies, strict=True)]


def _known(points: Iterable[tuple[int, float | None, float | None]]) -> list[Point]:
    return [
        (step, loss, accuracy)
        for step, loss, accuracy in points
        if loss is not None and accuracy is not None and math.isfinite(loss) and math.isfinite(accuracy)
    ]


def _real_targets(recording: Recording) -> bool:
    seen = [*(data.targets for data in recording.data), *(batch.targets for batch in recording.batches)]
    return not any(targets.encoding not in {"", "real"} for targets in seen if targets is not None)


def _weighted(data: Sequence[Data]) -> bool:
    return any(each.class_weights or each.weights is not None for each in data)
