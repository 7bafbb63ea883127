"""growing-weights."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import noisy, sketch
from bugloss.observe.tracks import Track, trainable

_GROWN = 10.0  # times the first size: weights that learn usual targets stay within a few times
_LEAST_SAMPLES = 4  # a ratio of first and last needs a few between to be no accident
_REAL_START = 1e-4  # weights that start smaller started at zero, and any ratio to that is large
_STILL_LARGE = 0.5  # of the largest size: what came down again is no longer growing
_BURSTING = [0.2 * 2.0**index for index in range(10)]


class GrowingWeights(Detector):
    """Weights grow to many times their initial size.

    ## What it finds
    Layers whose weights end at ten times their initial size or more, still growing at the end.

    ## Why it hurts
    Large weights make outputs, gradients and further updates large: values overflow, or the model becomes confident and
    wrong.

    ## How it decides
    By the ratio of the last to the first size (root mean square), for layers that did not start at zero. A warning
    where the model does not learn; otherwise advice, since tasks with large targets need large weights.

    ## Known problems
    Weights before a normalization layer may grow without any effect.

    ## References
    Fault catalogue, training dynamics: weights-blowup.
    """

    name = "growing-weights"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(noisy([2.4] * 100, 0.1), layers={"fc1": {"weight_rms": _BURSTING}}),
        sketch(layers={"fc2": {"weight_rms": _BURSTING}}),
    )
    healthy = (
        sketch(layers={"fc1": {"weight_rms": [0.05 * (index + 1) for index in range(9)]}}),
        sketch(layers={"fc2": {"weight_rms": [0.0, 0.01, 0.05, 0.2]}}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        grown = [(times, track) for track in trainable(recording) if (times := _times(track)) >= _GROWN]
        if not grown:
            return
        times, track = max(grown, key=lambda pair: pair[0])
        sizes = track.values("weight_rms")
        more = f" ({len(grown)} layers grow like this)" if len(grown) > 1 else ""
        yield self.symptom(
            f"The weights of layer {track.name} grow to {times:.3g} times their initial size{more}.",
            step=next(step for step, value in sizes if value >= _GROWN * sizes[0][1]),
            layer=track.name,
            site=track.layer.site,
            severity=alarm_if_struggling(recording),
            first=sizes[0][1],
            last=sizes[-1][1],
            times=times,
            layers=len(grown),
        )


def _times(track: Track) -> float:
    values = [value for _, value in track.values("weight_rms")]
    if not track.is_matrix or len(values) < _LEAST_SAMPLES or values[0] < _REAL_START:
        return 0.0
    return values[-1] / values[0] if values[-1] >= _STILL_LARGE * max(values) else 0.0
