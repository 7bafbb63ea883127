"""missing-gradient."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import adversaries
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.tracks import Track, tracks

_LEAST_SAMPLES = 2  # the first step alone may be special
_MOST_LAYERS = 5  # symptoms for more layers say the same thing again


class MissingGradient(Detector):
    """A trainable layer never gets a gradient.

    ## What it finds
    Layers with trainable weights that took part in the forward pass, while the backward pass never reached them.

    ## Why it hurts
    The graph is cut between the layer and the loss (``detach``, ``.data``, ``numpy()``, ``no_grad``), so the layer
    keeps its random weights.

    ## How it decides
    No gradient on any of at least two samples, while another layer of the same model had one each time. A warning if an
    optimizer is meant to update the layer. Where it is in no optimizer, it may be frozen on purpose: advice.

    ## Known problems
    With several optimizers that take turns a layer may not be updated in any sampled step: advice.

    ## References
    Fault catalogue, training dynamics: grad-zero/None; API misuse: inplace-graph-break.
    """

    name = "missing-gradient"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(layers={"fc1": {"gradient_rms": None}}),
        sketch(layers={"fc1": {"gradient_rms": None}}, optimizer={"missing": ("fc1.weight", "fc1.bias")}),
    )
    healthy = (
        sketch(layers={"fc1": {"gradient_rms": None}, "fc2": {"gradient_rms": None}}),
        sketch(layers={"fc1": {"gradient_rms": [None, None, 0.01]}}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        found = tracks(recording)
        reached = {
            (track.model, step) for track in found for step, numbers in track.points if numbers.gradient_rms is not None
        }
        missed = [track for track in found if track.trainable and _never_reached(track, reached)]
        for track in missed[:_MOST_LAYERS]:
            owned = not any(_belongs(name, track.name) for each in recording.optimizers for name in each.missing)
            alarming = owned and not adversaries(recording)
            yield self.symptom(
                f"Layer {track.name} is used in the forward pass, but never gets a gradient.",
                step=track.points[_LEAST_SAMPLES - 1][0],
                layer=track.name,
                site=track.layer.site,
                severity=Severity.WARNING if alarming else Severity.ADVICE,
                samples=len(track.points),
                owned_by_an_optimizer=owned,
            )


def _never_reached(track: Track, reached: set[tuple[str, int]]) -> bool:
    chances = [numbers for step, numbers in track.points if (track.model, step) in reached]
    return len(chances) >= _LEAST_SAMPLES and all(numbers.gradient_rms is None for numbers in chances)


def _belongs(parameter: str, layer: str) -> bool:
    return parameter == layer or parameter.startswith((f"{layer}.", f"{layer}/"))
