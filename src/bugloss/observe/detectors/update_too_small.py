"""update-too-small."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import progress
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, noisy, sketch
from bugloss.observe.tracks import Track, trainable

_TINY, _SMALL = 1e-5, 1e-4  # of the weights in one update: a hundredth and a tenth of the usual thousandth
_LEAST_SAMPLES = 2  # one batch may have no gradient by chance
_LEAST_STEPS = 20  # in fewer steps a healthy loss may not have moved either
_LITTLE_FALL = 0.1  # of the first loss: a run that falls more is learning, however small its updates
_FLAT = noisy([2.303] * 100, 0.02)


def _updates(ratio: float) -> dict[str, dict[str, float]]:
    return {name: {"update_ratio": ratio} for name in ("fc1", "fc2")}


class TinyUpdate(Detector):
    """Each update changes the weights by almost nothing.

    ## What it finds
    Layers whose weights change by less than a hundred-thousandth of their size per step, while the loss hardly falls.

    ## Why it hurts
    A typical update changes weights by about a thousandth; with much smaller ones nothing is learned within the run.

    ## How it decides
    The median over layers of the median ratio of change to weight, over the first half of the samples (schedules lower
    it later on). Below 1e-5 with a loss that falls by less than 10 % it is a warning; below 1e-4 with such a loss it
    is advice.

    ## Known problems
    Layers that start large and need no change have small ratios without a fault; therefore the loss is checked too.

    ## References
    Fault catalogue, training dynamics: update-ratio.
    """

    name = "update-too-small"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (sketch(_FLAT, layers=_updates(1e-7)), sketch(falling(2.3, 2.2), layers=_updates(4e-5)))
    healthy = (
        sketch(layers=_updates(5e-6)),
        sketch(_FLAT, layers={name: {"update_ratio": [1e-3] * 6 + [1e-7] * 4} for name in ("fc1", "fc2")}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        known = progress(recording)
        if known is None or len(known.curve.values) < _LEAST_STEPS or known.learned or known.curve.fall >= _LITTLE_FALL:
            return
        ratios = [ratio for track in trainable(recording) if (ratio := _early_ratio(track)) is not None]
        usual = median(ratios) if ratios else None
        if usual is None or not 0 < usual < _SMALL:
            return
        yield self.symptom(
            f"An update changes the weights by {usual:.1e} of their size; the loss falls by "
            f"{max(known.curve.fall, 0):.1%}.",
            step=known.curve.steps[_LEAST_STEPS - 1],
            severity=Severity.WARNING if usual < _TINY else Severity.ADVICE,
            update_ratio=usual,
            smallest=min(ratios),
            largest=max(ratios),
            fall=known.curve.fall,
        )


def _early_ratio(track: Track) -> float | None:
    values = [value for _, value in track.values("update_ratio") if value > 0]
    early = values[: max((len(values) + 1) // 2, _LEAST_SAMPLES)]
    return median(early) if len(early) >= _LEAST_SAMPLES else None
