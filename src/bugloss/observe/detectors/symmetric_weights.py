"""symmetric-weights."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import LayerNumbers, RecordedLayer, Recording, Sample
from bugloss.observe.sketch import sketch
from bugloss.observe.tracks import Track, last_with_weights, trainable

_LEAST_SAMPLES = 2  # before its first update a layer may rightly start at zero
_MOST_LAYERS = 5  # symptoms for more layers say the same thing again
_ONE_UNIT = (
    RecordedLayer("fc1", "Linear", 680, 680, {"units": 40}),
    RecordedLayer("fc2", "Linear", 41, 41, {"units": 1}),
)


class SymmetricWeights(Detector):
    """All units of a layer have the same weights.

    ## What it finds
    Layers of several units whose incoming weights are equal from unit to unit after updates, too.

    ## Why it hurts
    Equal units get equal gradients and stay equal: the layer acts like a single unit. The cause is a constant
    initialization.

    ## How it decides
    Exactly, on every sample after the first update (two at least). A layer that may start at zero, such as an output
    layer, differs from unit to unit after its first update. Where only the start was inspected, a hidden layer is
    reported as a warning if the model does not learn, and as advice otherwise.

    ## Known problems
    Layers with one unit are left out where their width is known.

    ## References
    Fault catalogue, model structure: init-symmetry.
    """

    name = "symmetric-weights"
    severity = Severity.ERROR
    category = Category.MODEL
    faulty = (
        sketch(layers={"fc1": {"symmetric": True}}),
        sketch(layers={"fc1": {"symmetric": True}, "fc2": {"symmetric": True}}),
        sketch(samples=(Sample(0, layers={"fc1": LayerNumbers(symmetric=True)}),)),
    )
    healthy = (
        sketch(layers={"fc2": {"symmetric": [True, True, False]}}),
        sketch(samples=(Sample(0, layers={"fc1": LayerNumbers(), "fc2": LayerNumbers(symmetric=True)}),)),
        sketch(architecture=_ONE_UNIT, layers={"fc2": {"symmetric": True}}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        layers = [track for track in trainable(recording) if track.is_matrix and _units(track.layer) != 1]
        last = last_with_weights(layers)
        found = [track for track in layers if _stays_symmetric(track)]
        early = [track for track in layers if _starts_symmetric(track) and track.name != last[track.model]]
        yield from (self._say(track, self.severity) for track in found[:_MOST_LAYERS])
        if not found:
            yield from (self._say(track, alarm_if_struggling(recording)) for track in early[:_MOST_LAYERS])

    def _say(self, track: Track, severity: Severity) -> Symptom:
        units = _units(track.layer)
        later = ", and still do after updates" if severity is self.severity else " before training"
        return self.symptom(
            f"{_all(units)} units of layer {track.name} have the same weights{later}.",
            step=track.points[0][0],
            layer=track.name,
            site=track.layer.site,
            severity=severity,
            units=units,
            weight_std=track.level("weight_std"),
        )


def _stays_symmetric(track: Track) -> bool:
    later = [numbers.symmetric for step, numbers in track.points if step >= 1 and numbers.symmetric is not None]
    return len(later) >= _LEAST_SAMPLES and all(later)


def _starts_symmetric(track: Track) -> bool:
    """Whether units are equal before training, and nothing is known of them later."""
    known = [numbers.symmetric for _, numbers in track.points if numbers.symmetric is not None]
    return bool(known) and len(known) <= _LEAST_SAMPLES and all(known)


def _units(layer: RecordedLayer) -> int | None:
    for name in ("units", "filters", "out_features", "out_channels"):
        value = layer.settings.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def _all(units: int | None) -> str:
    return "All" if units is None else f"All {units}"
