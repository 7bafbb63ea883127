"""nonfinite-weights."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.tracks import shown, tracks


class NonfiniteWeights(Detector):
    """Weights that are NaN or infinite.

    ## What it finds
    A layer with at least one NaN or infinite weight, at any sampled step.

    ## Why it hurts
    Such a weight does not recover; the model is unusable, even if the loss does not show it yet.

    ## How it decides
    By counting. The first such layer is named, the others are in the evidence.

    ## Known problems
    Only sampled steps are inspected, so the step may be later than the true one.

    ## References
    Fault catalogue, numeric: hidden-nan; model structure: init-skipped-or-late.
    """

    name = "nonfinite-weights"
    severity = Severity.ERROR
    category = Category.TRAINING
    faulty = (
        sketch(layers={"fc1": {"weight_nonfinite": [0, 0, 0, 12]}}),
        sketch(layers={"fc1": {"weight_nonfinite": 680}, "fc2": {"weight_nonfinite": 410}}),
    )
    healthy = (
        sketch(layers={"fc1": {"gradient_nonfinite": [3, 0]}}),
        sketch(layers={"fc2": {"weight_rms": 1e20, "output_nonfinite": [0, 1, 0]}}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        hit = [
            (step, numbers.weight_nonfinite, track)
            for track in tracks(recording)
            for step, numbers in track.points
            if numbers.weight_nonfinite > 0
        ]
        if not hit:
            return
        step, count, track = min(hit, key=lambda found: found[0])
        names = dict.fromkeys(other.name for _, _, other in hit)
        more = f" (and {len(names) - 1} more layers)" if len(names) > 1 else ""
        yield self.symptom(
            f"{count} weights of layer {track.name}{more} are NaN or infinite at step {step}.",
            step=step,
            layer=track.name,
            site=track.layer.site,
            count=count,
            layers=shown(names),
        )
