"""update-too-large."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import noisy, sketch
from bugloss.observe.tracks import Track, trainable

_LARGE = 0.1  # of the weights in one update: usual training moves them by a thousandth
_LEAST_SAMPLES = 2  # the first update of adaptive optimizers is large by nature
_STILL_ZERO = 1e-6  # weights that are still at zero, to which every change is large
_FLAT = noisy([2.303] * 100, 0.02)


class LargeUpdate(Detector):
    """Each update changes the weights by a large part of their size.

    ## What it finds
    Models whose layers mostly change by more than a tenth of their size in a single step, repeatedly.

    ## Why it hurts
    What was learned on one batch is overwritten by the next; the loss jumps, or units die.

    ## How it decides
    The median over layers of the median ratio of change to weight, over all samples but the first: the first updates of
    adaptive optimizers are naturally large, and so are those of weights that start at zero. A warning where the model
    does not learn, otherwise advice.

    ## Known problems
    Very small models on easy tasks tolerate large updates.

    ## References
    Fault catalogue, training dynamics: update-ratio.
    """

    name = "update-too-large"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(_FLAT, layers={name: {"update_ratio": 0.6} for name in ("fc1", "fc2")}),
        sketch(layers={name: {"update_ratio": 0.2} for name in ("fc1", "fc2")}),
    )
    healthy = (
        sketch(_FLAT, layers={name: {"update_ratio": [0.9, 0.3, 0.01]} for name in ("fc1", "fc2")}),
        sketch(layers={name: {"update_ratio": 0.05} for name in ("fc1", "fc2")}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        ratios = [(ratio, track) for track in trainable(recording) if (ratio := _ratio(track)) is not None]
        if not ratios:
            return
        usual = median(ratio for ratio, _ in ratios)
        if usual < _LARGE:
            return
        largest, track = max(ratios, key=lambda pair: pair[0])
        yield self.symptom(
            f"An update changes the weights by {usual:.0%} of their size, in layer {track.name} by {largest:.0%}.",
            step=track.values("update_ratio")[0][0],
            layer=track.name,
            site=track.layer.site,
            severity=alarm_if_struggling(recording),
            update_ratio=usual,
            largest=largest,
        )


def _ratio(track: Track) -> float | None:
    start = track.values("weight_rms")
    values = [value for _, value in track.values("update_ratio", since=1)]
    if not track.is_matrix or len(values) < _LEAST_SAMPLES or (start and start[0][1] < _STILL_ZERO):
        return None
    return median(values)
