"""activation-drift."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import noisy, sketch
from bugloss.observe.tracks import Track, last_with_weights, tracks

_FAR, _VERY_FAR = 10.0, 100.0  # times the first deviation: one order of magnitude is still adaptation, two are not
_LEAST_SAMPLES = 4  # the first one and the last three must be different ones


class ActivationDrift(Detector):
    """The scale of a hidden layer's outputs changes at least tenfold during training.

    ## What it finds
    Hidden layers whose outputs end up more than ten times as wide, or a tenth as wide, as before training.

    ## Why it hurts
    The inputs of later layers keep changing, so these have to adapt; saturation or collapse often follows.

    ## How it decides
    The standard deviation of the outputs on each of the last three samples against the first. Beyond a hundred it is a
    warning where the model does not learn, otherwise advice. Output layers are left out: their outputs grow as the
    model becomes confident.

    ## Known problems
    Inputs whose own scale changes during the run have the same effect.

    ## References
    Fault catalogue, training dynamics: activation-drift.
    """

    name = "activation-drift"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(noisy([2.303] * 100, 0.01), layers={"fc1": {"output_std": [0.8, 5.0, 40.0, 300.0]}}),
        sketch(layers={"fc1": {"output_std": [0.8, 0.4, 0.1, 0.01]}}),
    )
    healthy = (
        sketch(layers={"fc1": {"output_std": [0.5, 1.0, 2.0, 4.0]}}),
        sketch(layers={"fc2": {"output_std": [0.1, 1.0, 4.0, 9.0]}}),
        sketch(layers={"fc1": {"output_std": [0.8, 30.0, 1.0, 0.9]}}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        found = tracks(recording)
        last = last_with_weights(found)
        hidden = [track for track in found if track.layer.parameters > 0 and track.name != last[track.model]]
        drifted = [(drift, track) for track in hidden if (drift := _drift(track)) is not None and drift[0] > _FAR]
        if not drifted:
            return
        (times, first, end), track = max(drifted, key=lambda pair: pair[0][0])
        yield self.symptom(
            f"The standard deviation of the outputs of layer {track.name} changes from {first:.2g} to {end:.2g} "
            "during training.",
            step=track.points[-3][0],
            layer=track.name,
            site=track.layer.site,
            severity=alarm_if_struggling(recording) if times > _VERY_FAR else Severity.ADVICE,
            first=first,
            last=end,
            layers=len(drifted),
        )


def _drift(track: Track) -> tuple[float, float, float] | None:
    """How many times wider or narrower the last outputs are, all three of them; with first and last deviation."""
    values = [value for _, value in track.values("output_std")]
    if len(values) < _LEAST_SAMPLES or values[0] <= 0 or min(values[-3:]) <= 0:
        return None
    first, ends = values[0], values[-3:]
    if min(ends) > first:
        return min(ends) / first, first, values[-1]
    return (first / max(ends), first, values[-1]) if max(ends) < first else None
