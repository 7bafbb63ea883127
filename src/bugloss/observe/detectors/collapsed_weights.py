"""collapsed-weights."""

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

_SHRUNK = 0.1  # of the first size: weight decay of common strength halves weights, it does not take nine tenths
_LEAST_SAMPLES = 4  # the first one and the last three must be different ones
_MELTING = [0.2 * 0.6**index for index in range(10)]


class CollapsedWeights(Detector):
    """Weights shrink to a small part of their initial size.

    ## What it finds
    Layers whose weights end below a tenth of their initial size.

    ## Why it hurts
    Regularization outweighs the data; the outputs of the layer become almost zero.

    ## How it decides
    By the ratio of the last to the first size (root mean square), with the last three samples all below a fifth. A
    warning where the model does not learn, otherwise advice.

    ## Known problems
    Weights before a normalization layer may shrink under weight decay without any effect.

    ## References
    Fault catalogue, training dynamics: weights-dead.
    """

    name = "collapsed-weights"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(noisy([2.303] * 100, 0.01), layers={"fc1": {"weight_rms": _MELTING}, "fc2": {"weight_rms": _MELTING}}),
        sketch(layers={"fc1": {"weight_rms": _MELTING}}),
    )
    healthy = (
        sketch(layers={"fc1": {"weight_rms": [0.2, 0.15, 0.1, 0.06]}}),
        sketch(layers={"fc1": {"weight_rms": 1e-6}}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        shrunk = [(left, track) for track in trainable(recording) if (left := _left(track)) < _SHRUNK]
        if not shrunk:
            return
        left, track = min(shrunk, key=lambda pair: pair[0])
        sizes = track.values("weight_rms")
        more = f" ({len(shrunk)} layers shrink like this)" if len(shrunk) > 1 else ""
        yield self.symptom(
            f"The weights of layer {track.name} shrink to {left:.2%} of their initial size{more}.",
            step=next(step for step, value in sizes if value < _SHRUNK * sizes[0][1]),
            layer=track.name,
            site=track.layer.site,
            severity=alarm_if_struggling(recording),
            first=sizes[0][1],
            last=sizes[-1][1],
            layers=len(shrunk),
        )


def _left(track: Track) -> float:
    values = [value for _, value in track.values("weight_rms")]
    if not track.is_matrix or len(values) < _LEAST_SAMPLES or values[0] <= 0:
        return 1.0
    return values[-1] / values[0] if max(values[-3:]) < 2 * _SHRUNK * values[0] else 1.0
