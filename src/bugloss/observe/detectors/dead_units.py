"""dead-units."""

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
from bugloss.observe.tracks import tracks

# ReLU networks work with half of their units silent; with nine in ten hardly anything passes.
_MANY, _ALMOST_ALL = 0.5, 0.9
_LEAST_SAMPLES = 2  # a unit must be dead twice, since one batch may simply not excite it
_LEAST_BATCH = 16  # in a smaller batch healthy units are often silent together
_MOST_LAYERS = 5  # symptoms for more layers say the same thing again
_FLAT = noisy([2.303] * 100, 0.01)


class DeadUnits(Detector):
    """Units that give zero for every sample.

    ## What it finds
    Layers half of whose units, or more, output zero for whole batches until the end of training.

    ## Why it hurts
    A ReLU unit that is never positive gets no gradient and does not recover, so the layer is effectively narrower.
    Common causes are large updates, a strongly negative bias or a bad initialization.

    ## How it decides
    The median share of units that gave zero for the whole batch, over the second half of the samples (two at least,
    with batches of sixteen at least). Nine in ten is a warning where the model does not learn; otherwise, and from one
    in two on, advice.

    ## Known problems
    An activation that is called as a function is not a layer; its zeros may only show in the layer after it.

    ## References
    Fault catalogue, training dynamics: dead-relu.
    """

    name = "dead-units"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(_FLAT, layers={"fc1": {"dead_share": [0.1, 0.5, 0.98]}}),
        sketch(layers={"fc1": {"dead_share": 0.6}}),
    )
    healthy = (
        sketch(_FLAT, layers={"fc1": {"dead_share": 0.95}}, steps={"batch": 4}),
        sketch(layers={"fc1": {"dead_share": [0.9, 0.6, 0.4, 0.2], "zero_share": 0.6}}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        sizes = [step.batch for step in recording.steps if step.batch is not None]
        if sizes and median(sizes) < _LEAST_BATCH:
            return
        reported = 0
        for track in tracks(recording):
            values = track.values("dead_share")
            later = values[len(values) // 2 :]
            if track.passes_on or len(later) < _LEAST_SAMPLES or reported == _MOST_LAYERS:
                continue
            dead = median(value for _, value in later)
            if dead < _MANY or later[-1][1] < _MANY:
                continue
            reported += 1
            yield self.symptom(
                f"{dead:.0%} of the units of layer {track.name} output zero for every sample.",
                step=next(step for step, value in values if value >= _MANY),
                layer=track.name,
                site=track.layer.site,
                severity=alarm_if_struggling(recording) if dead >= _ALMOST_ALL else Severity.ADVICE,
                dead_share=dead,
                first_share=values[0][1],
            )
