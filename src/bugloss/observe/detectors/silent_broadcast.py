"""silent-broadcast."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import zip_longest

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import LossFunction, Recording, Started
from bugloss.observe.sketch import sketch

Shape = tuple[int, ...]


class SilentBroadcast(Detector):
    """The loss broadcasts outputs and targets of different shapes against each other.

    ## What it finds
    A loss whose output and target differ in shape, such as (64, 1) and (64,), and were broadcast without an error.

    ## Why it hurts
    Every output is compared with every target. The minimum of the loss is then the mean of all targets, and the model
    learns just that.

    ## How it decides
    The shapes are read at the first call. It is an error when the broadcast shape is larger than both, a warning when
    the shapes are unknown. Where only one side is broadcast to the size of the other, a constant target may be meant:
    advice. Where a formula of the program's own paired every sample with every other, it is a warning if the model does
    not learn: some losses mean to compare all pairs. Keras drops a last axis of size one by itself, so that this pair
    is advice there.

    ## Known problems
    Only losses that the probe knows by name are inspected, not handwritten arithmetic.

    ## References
    The warning "Using a target size that is different to the input size" of ``torch.nn.functional.mse_loss``.
    """

    name = "silent-broadcast"
    severity = Severity.ERROR
    category = Category.TENSOR
    faulty = (
        sketch(loss={"kind": "mse", "broadcast": True, "output_shape": (64, 1), "target_shape": (64,)}),
        sketch(loss={"kind": "mae", "name": "L1Loss", "broadcast": True, "output_shape": (), "target_shape": ()}),
        sketch(loss={"kind": "mse", "broadcast": True, "output_shape": (64, 3), "target_shape": (1, 3)}),
    )
    healthy = (
        sketch(),
        sketch(loss={"kind": "mse", "output_shape": (64, 1), "target_shape": (64, 1)}),
        sketch(loss={"kind": "mse", "broadcast": True, "output_shape": (1, 1), "target_shape": (1,)}),
        sketch(
            started=Started("keras", "3.15.0", "tensorflow"),
            loss={"kind": "mse", "broadcast": False, "output_shape": (64, 1), "target_shape": (64,)},
        ),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        keras = recording.started is not None and recording.started.framework == "keras"
        for loss in recording.losses:
            severity = _severity(recording, loss, keras) if loss.broadcast else None
            if severity is None:
                continue
            output, target = _written(loss.output_shape), _written(loss.target_shape)
            yield self.symptom(
                f"{loss.name} broadcasts an output of shape {output} and a target of shape {target} against each "
                "other.",
                step=0,
                site=loss.site,
                severity=severity,
                output_shape=loss.output_shape,
                target_shape=loss.target_shape,
            )


def _severity(recording: Recording, loss: LossFunction, keras: bool) -> Severity | None:
    output, target = loss.output_shape, loss.target_shape
    if not output and not target:
        return Severity.WARNING
    if loss.kind == "custom" and not target:
        return alarm_if_struggling(recording)
    size = math.prod(_stretched(output, target))
    if size == math.prod(output) == math.prod(target):
        return None  # the same numbers, written with another number of axes
    if size <= max(math.prod(output), math.prod(target)):
        return Severity.ADVICE
    return Severity.ADVICE if keras and _differ_by_last_axis(output, target) else Severity.ERROR


def _stretched(left: Shape, right: Shape) -> list[int]:
    return [max(one, other) for one, other in zip_longest(reversed(left), reversed(right), fillvalue=1)]


def _differ_by_last_axis(left: Shape, right: Shape) -> bool:
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    return longer == (*shorter, 1)


def _written(shape: Shape) -> str:
    return "×".join(str(size) for size in shape) or "unknown"
