"""initial-scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import alarm_if_struggling
from bugloss.observe.recording import RecordedLayer, Recording
from bugloss.observe.sketch import noisy, sketch
from bugloss.observe.tracks import Track, last_with_weights, tracks

_LEAST_LAYERS = 3  # one ratio between two layers is not a trend
# He and Glorot keep the ratio near one; a thousand overall or a hundred at once is no accident of data.
_OVERALL, _BETWEEN_TWO = 1e3, 1e2
_DEEP = tuple(RecordedLayer(f"fc{number}", "Linear", 100, 100, {"units": 10}) for number in range(1, 8))
_FLAT = noisy([2.303] * 100, 0.02)


def _scaled(factor: float) -> dict[str, dict[str, float]]:
    return {f"fc{number}": {"output_std": factor ** (number - 1)} for number in range(1, 8)}


class InitialScale(Detector):
    """Before training, activations already grow or shrink strongly from layer to layer.

    ## What it finds
    Hidden layers whose outputs, on the first batch, are a thousand times wider or narrower at the end of the model
    than at its beginning, or a hundred times from one layer to the next.

    ## Why it hurts
    Gradients grow or shrink in the same way in the backward pass. The causes are initial weights, missing normalization
    or unscaled inputs.

    ## How it decides
    By the standard deviation of the outputs before the first update, over the hidden layers with weights, in the order
    of the model. A warning where the change over the whole model is that large and the model does not learn; otherwise
    advice.

    ## Known problems
    Models with branches list layers one after another that do not follow one another.

    ## References
    Fault catalogue, model structure: init-scale; He et al. (2015) on keeping variances.
    """

    name = "initial-scale"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(_FLAT, architecture=_DEEP, layers=_scaled(0.1)),
        sketch(_FLAT, architecture=_DEEP, layers=_scaled(8.0)),
        sketch(architecture=_DEEP, layers={"fc4": {"output_std": 500.0}}),
    )
    healthy = (
        sketch(_FLAT, architecture=_DEEP, layers=_scaled(0.5)),
        sketch(_FLAT, layers={"fc2": {"output_std": 1e-6}}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        found = tracks(recording)
        last = last_with_weights(found)
        for model, output in last.items():
            own = [track for track in found if track.model == model and track.is_matrix and track.name != output]
            widths = [(track, width) for track in own if (width := _first_width(track)) is not None]
            if len(widths) >= _LEAST_LAYERS:
                yield from self._judge(recording, widths)

    def _judge(self, recording: Recording, widths: Sequence[tuple[Track, float]]) -> Iterator[Symptom]:
        (first, start), (end, width) = widths[0], widths[-1]
        overall = max(width / start, start / width)
        steepest = max(pairwise(widths), key=lambda pair: _change(pair[0][1], pair[1][1]))
        step_change = _change(steepest[0][1], steepest[1][1])
        if overall < _OVERALL and step_change < _BETWEEN_TWO:
            return
        if overall < _OVERALL:
            (first, start), (end, width) = steepest
        yield self.symptom(
            f"Before training the standard deviation of the outputs goes from {start:.2g} in layer {first.name} to "
            f"{width:.2g} in layer {end.name}.",
            step=0,
            layer=steepest[1][0].name,
            site=steepest[1][0].layer.site,
            severity=alarm_if_struggling(recording) if overall >= _OVERALL else Severity.ADVICE,
            first=start,
            last=width,
            layers=len(widths),
        )


def _change(before: float, after: float) -> float:
    return max(after / before, before / after)


def _first_width(track: Track) -> float | None:
    """The standard deviation of the outputs before any update; None where it is unknown, or zero, which is another
    symptom."""
    values = track.values("output_std")
    return values[0][1] if values and values[0][0] == 0 and values[0][1] > 0 else None
