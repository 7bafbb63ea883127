"""batch-norm-statistics."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import is_batch_norm, number
from bugloss.observe.recording import LayerNumbers, PropertyAnswer, RecordedLayer, Recording, Started
from bugloss.observe.sketch import sketch
from bugloss.observe.tracks import Track, tracks
from bugloss.observe.underperformance import validation_underperforms

Problem = tuple[Severity, int, str]

_CONSTANT = 1e-6  # a variance of single precision's rounding: the channel carries nothing
_FAR = 5.0  # batch deviations: a running mean that lags behind is off by less than one
_TIMES = 3  # samples in a row, so that one odd batch does not count
_MOSTLY_OLD = 0.5  # more than half of the statistics are still those that the layer was made with
_FORGETFUL = 0.95  # of each batch taken over: the statistics are those of the last batch alone
_LEAST_UPDATES = 20  # the default momentum of PyTorch needs about this many to forget its start
_INCONSISTENT = (PropertyAnswer("train-evaluation-consistency", False),)
_FINE = {"running_variance": (0.2, 3.0), "running_mean_gap": 0.4}
_FIRST = RecordedLayer("fc1", "Linear", 680, 680)


def _norm(**settings: float) -> tuple[RecordedLayer, ...]:
    return _FIRST, RecordedLayer("bn", "BatchNorm1d", 80, 80, settings)


class BatchNormStatistics(Detector):
    """The running statistics of a batch norm are unusable.

    ## What it finds
    Running variances that are not finite or are almost zero, running means that stay far from those of the batches, and
    a momentum that is too slow for the length of the run or keeps only the last batch.

    ## Why it hurts
    Training uses the statistics of the batch and looks fine; evaluation uses the running ones and its results are
    wrong.

    ## How it decides
    Variances that are NaN or infinite are an error, variances near zero in all channels a warning. A running mean five
    batch deviations away in the last three samples, or statistics of which the momentum leaves more than half at their
    first value by the end, are a warning only when evaluation really underperforms: validation is clearly worse than
    training, or a property probe failed. Otherwise they are advice.

    ## Known problems
    A channel that is nearly constant has a tiny deviation, so that its mean looks far off.

    ## References
    ``momentum`` is the share taken over from the batch in PyTorch, the share kept in Keras.
    """

    name = "batch-norm-statistics"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(architecture=_norm(momentum=0.1), layers={"bn": {"running_variance": [(1.0, 1.0), (0.1, math.inf)]}}),
        sketch(
            architecture=_norm(momentum=0.1), layers={"bn": {"running_mean_gap": 40.0}}, properties=_INCONSISTENT
        ),
        sketch(
            started=Started("keras", "3.15.0", "tensorflow"), architecture=_norm(momentum=0.9999), validation=[9.0],
        ),
        sketch(architecture=_norm(momentum=0.99)),
    )  # fmt: skip
    healthy = (
        sketch(architecture=_norm(momentum=0.1), layers={"bn": _FINE}),
        sketch(architecture=_norm(momentum=0.1), layers={"bn": {"running_mean_gap": [30.0, 8.0, 6.0, 2.0, 0.5]}}),
        sketch(started=Started("keras", "3.15.0", "tensorflow"), architecture=_norm(momentum=0.99), validation=[9.0]),
    )  # fmt: skip

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        underperforms = _evaluation_underperforms(recording)
        for track in tracks(recording):
            problem = _find_problem(recording, track, underperforms) if is_batch_norm(track.layer) else None
            if problem is None:
                continue
            severity, step, text = problem
            yield self.symptom(
                f"The running statistics of {track.name} {text}.",
                step=step,
                layer=track.name,
                site=track.layer.site,
                severity=severity,
                running_mean_gap=_last(track, "running_mean_gap"),
                momentum=number(track.layer.settings, "momentum"),
                evaluation_underperforms=underperforms,
            )


def _find_problem(recording: Recording, track: Track, underperforms: bool) -> Problem | None:
    for step, numbers in track.points:
        if _is_broken(numbers):
            return Severity.ERROR, step, "contain variances that are NaN or infinite"
    last = track.points[-1] if track.points else None
    if last is not None and last[0] > 0 and last[1].running_variance and last[1].running_variance[1] <= _CONSTANT:
        return Severity.WARNING, last[0], f"have variances of at most {last[1].running_variance[1]:.2g}"
    hint = Severity.WARNING if underperforms else Severity.ADVICE
    gaps = [value for _, value in track.values("running_mean_gap", since=_LEAST_UPDATES)][-_TIMES:]
    if len(gaps) == _TIMES and min(gaps) > _FAR:
        return (
            hint,
            track.points[-1][0],
            f"differ from those of the batches by up to {gaps[-1]:.3g} standard deviations",
        )
    return _by_momentum(recording, track.layer, hint)


def _by_momentum(recording: Recording, layer: RecordedLayer, hint: Severity) -> Problem | None:
    momentum = number(layer.settings, "momentum")
    updates = len(recording.steps)
    if momentum is None or not 0 <= momentum <= 1 or updates < _LEAST_UPDATES:
        return None
    keras = recording.started is not None and recording.started.framework == "keras"
    taken = 1 - momentum if keras else momentum
    if taken >= _FORGETFUL:
        return hint, recording.steps[-1].step, f"are those of the last batch only (momentum {momentum:g})"
    left = (1 - taken) ** updates
    if left > _MOSTLY_OLD:
        return (
            hint,
            recording.steps[-1].step,
            f"are still {left:.0%} initial values after {updates} updates (momentum {momentum:g})",
        )
    return None


def _is_broken(numbers: LayerNumbers) -> bool:
    return numbers.running_variance is not None and not all(math.isfinite(value) for value in numbers.running_variance)


def _last(track: Track, field: str) -> float | None:
    values = track.values(field)
    return values[-1][1] if values else None


def _evaluation_underperforms(recording: Recording) -> bool:
    answer = recording.property("train-evaluation-consistency")
    if answer is not None and answer.holds is False:
        return True
    return validation_underperforms(recording)
