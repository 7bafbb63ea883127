"""saturated-units."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import alarm_if_struggling, struggles
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, noisy, sketch
from bugloss.observe.tracks import Track, tracks

_MANY, _MOST = 0.5, 0.8  # trained gates saturate in part; at half learning slows down, at four in five it stops
_LEAST_SAMPLES = 2  # one batch may be odd
_MOST_LAYERS = 5  # symptoms for more layers say the same thing again
_FLAT = noisy([2.303] * 100, 0.01)


class SaturatedUnits(Detector):
    """Sigmoid or tanh units are saturated.

    ## What it finds
    Layers most of whose outputs are in the flat part of the activation.

    ## Why it hurts
    Where the activation is flat, the gradient is almost zero. Inputs or weights are too large for the activation.

    ## How it decides
    The median share of saturated values over the first half of the samples, when saturation cannot mean confidence yet.
    From 80 % on a warning where the model does not learn; from 50 % on advice. Softmax is left out (with many classes
    most of its outputs are small), and so is the output layer of a model that learns: there saturation means
    confidence.

    ## Known problems
    The gates of recurrent cells are not seen.

    ## References
    Fault catalogue, training dynamics: saturated; Glorot and Bengio (2010).
    """

    name = "saturated-units"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(_FLAT, layers={"fc1": {"saturated_share": 0.95}}),
        sketch(layers={"fc1": {"saturated_share": 0.7}}),
        sketch(_FLAT, layers={"fc2": {"saturated_share": 0.99}}),
    )
    healthy = (
        sketch(falling(2.3, 0.01), layers={"fc2": {"saturated_share": [0.1, 0.3, 0.6, 0.9]}}),
        sketch(layers={"fc1": {"saturated_share": [0.9, 0.3, 0.2, 0.2, 0.3]}}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        found, failing = tracks(recording), struggles(recording)
        last = _last_of_each_model(found)
        reported = 0
        for track in found:
            share = _early_share(track)
            if share < _MANY or "softmax" in _activation(track) or reported == _MOST_LAYERS:
                continue
            if track.name == last.get(track.model) and not failing:
                continue
            reported += 1
            yield self.symptom(
                f"{share:.0%} of the outputs of layer {track.name} ({_activation(track)}) are saturated.",
                step=track.values("saturated_share")[0][0],
                layer=track.name,
                site=track.layer.site,
                severity=alarm_if_struggling(recording) if share >= _MOST else Severity.ADVICE,
                saturated_share=share,
            )


def _early_share(track: Track) -> float:
    values = [value for _, value in track.values("saturated_share")]
    early = values[: max((len(values) + 1) // 2, _LEAST_SAMPLES)]
    return median(early) if len(early) >= _LEAST_SAMPLES else 0.0


def _activation(track: Track) -> str:
    return str(track.layer.settings.get("activation", track.layer.kind)).lower()


def _last_of_each_model(found: list[Track]) -> dict[str, str]:
    return {track.model: track.name for track in found if track.points}
