"""weight-initialization-scale."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import fan_in, fan_out, is_norm
from bugloss.observe.recording import RecordedLayer, Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.tracks import Track, last_with_weights, tracks
from bugloss.observe.underperformance import training_underperforms

_OFF = 10.0  # times the range between all common initialisers: one order of magnitude beyond any of them
_LARGE = (
    RecordedLayer("fc1", "Linear", 785 * 100, 785 * 100, {"units": 100}),
    RecordedLayer("fc2", "Linear", 1010, 1010, {"units": 10}),
)


def _deviation(value: float, layer: str = "fc1") -> dict[str, dict[str, object]]:
    return {layer: {"weight_std": [value, value], "weight_rms": value}}


class WeightInitializationScale(Detector):
    """Initial weights are ten times larger or smaller than usual for their number of inputs.

    ## What it finds
    Dense and convolutional layers whose weights, before the first update, have a standard deviation ten times above
    that of He initialization or ten times below the smallest usual one.

    ## Why it hurts
    Activations and gradients grow or shrink from layer to layer by that factor: outputs and losses start very large,
    units saturate or die, or gradients vanish.

    ## How it decides
    The deviation of the weights is compared with the root of 2 over the inputs (He), and with the lower of Glorot's
    value and PyTorch's default. It is a warning when the run underperforms: it does not learn, or starts far above
    chance level and does not get far. Otherwise, and where normalization layers correct the scale, it is advice. A
    small output layer is left out, since many programs start it near zero on purpose; constant weights have a symptom
    of their own.

    ## Known problems
    Recurrent layers and embeddings are not judged. Weights from a checkpoint are treated like new ones.

    ## References
    Glorot and Bengio (2010); He et al. (2015).
    """

    name = "weight-initialization-scale"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(falling(300.0, 40.0), architecture=_LARGE, layers=_deviation(1.0)),
        sketch([2.3] * 100, architecture=_LARGE, layers=_deviation(1e-4)),
        sketch(architecture=_LARGE, layers=_deviation(1.0)),
    )
    healthy = (
        sketch(architecture=_LARGE, layers=_deviation(0.05)),
        sketch([2.3] * 100, architecture=_LARGE, layers=_deviation(0.02)),
        sketch(architecture=_LARGE, layers={**_deviation(0.05), **_deviation(1e-3, "fc2")}),
        sketch(architecture=_LARGE, layers=_deviation(0.0)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        found = tracks(recording)
        last = last_with_weights(found)
        normed = {track.model for track in found if is_norm(track.layer)}
        underperforms: bool | None = None
        for track in found:
            ratio = _ratio(track)
            if ratio is None or 1 / _OFF < ratio < _OFF or (ratio < 1 and last.get(track.model) == track.name):
                continue
            underperforms = training_underperforms(recording) if underperforms is None else underperforms
            yield self.symptom(
                f"The initial weights of {track.name} are {_times(ratio)} than usual for its number of inputs.",
                step=0,
                layer=track.name,
                site=track.layer.site,
                severity=Severity.WARNING if underperforms and track.model not in normed else Severity.ADVICE,
                ratio=ratio,
                weight_std=track.points[0][1].weight_std,
            )


def _ratio(track: Track) -> float | None:
    """How many times too large the weights start; below one, too small; None where that is unknown."""
    inputs, outputs = fan_in(track.layer), fan_out(track.layer)
    start = next((numbers.weight_std for step, numbers in track.points if step == 0), None)
    if inputs is None or outputs is None or start is None or not math.isfinite(start) or start <= 0:
        return None
    most = math.sqrt(2 / inputs)
    least = min(1 / math.sqrt(3 * inputs), math.sqrt(2 / (inputs + outputs)))
    if start > most:
        return start / most
    return start / least if start < least else 1.0


def _times(ratio: float) -> str:
    return f"{ratio:.0f} times larger" if ratio > 1 else f"{1 / ratio:.0f} times smaller"
