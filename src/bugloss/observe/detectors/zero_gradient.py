"""zero-gradient."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import adversaries, progress, struggles
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, noisy, sketch
from bugloss.observe.tracks import Track, shown, trainable

_LEAST_SAMPLES = 2  # layers that start at zero rightly hide others for one step
_LEAST_AT_END = 4  # samples in a row: one or two may be batches without an active unit
_MOST_LAYERS = 5  # symptoms for more layers say the same thing again
_DONE = 1e-3  # of the first loss: so little is left that gradients may round to zero


class ZeroGradient(Detector):
    """A layer's gradient is exactly zero, sample after sample.

    ## What it finds
    Layers with weights whose gradient is zero in every component, from the start or from some step on.

    ## Why it hurts
    The layer cannot learn. All its units are dead, its output does not matter to the loss, or the loss is constant.

    ## How it decides
    By exact zeros on all samples after the first step (two at least), or on the last four. The first step does not
    count: layers that start at zero by design block others for one step. All layers at once is an error, one of them a
    warning. A layer that stops later, or was seen less than four times, is a warning only where the model does not
    learn, and nothing is reported when the loss is almost zero.

    ## Known problems
    With several optimizers that take turns a layer may not be updated in any sampled step: advice.

    ## References
    Fault catalogue, training dynamics: grad-zero/None, dead-relu.
    """

    name = "zero-gradient"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(layers={"fc1": {"gradient_rms": 0.0}}),
        sketch(noisy([2.303] * 100, 0.01), layers={"fc1": {"gradient_rms": 0.0}, "fc2": {"gradient_rms": 0.0}}),
        sketch(noisy([2.303] * 100, 0.01), layers={"fc1": {"gradient_rms": [0.01] * 4 + [0.0] * 6}}),
    )
    healthy = (
        sketch(layers={"fc1": {"gradient_rms": [0.0, 0.0, 0.01]}}),
        sketch(falling(2.3, 1e-5), layers={name: {"gradient_rms": [0.01] * 6 + [0.0] * 4} for name in ("fc1", "fc2")}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        known = progress(recording)
        if known is not None and abs(known.curve.last) < _DONE * known.curve.scale:
            return
        layers = [track for track in trainable(recording) if track.is_matrix and track.values("gradient_rms")]
        dead = [(track, since) for track in layers if (since := _zero_since(track)) is not None]
        if len(dead) == len(layers) > 1:
            yield self._of_all(recording, dead)
        else:
            yield from (self._of_one(recording, track, since) for track, since in dead[:_MOST_LAYERS])

    def _of_all(self, recording: Recording, dead: list[tuple[Track, int]]) -> Symptom:
        since = max(step for _, step in dead)
        return self.symptom(
            f"The gradients of all {len(dead)} layers are exactly zero from step {since} on.",
            step=since,
            severity=Severity.ERROR if struggles(recording) and not adversaries(recording) else Severity.ADVICE,
            layers=shown(track.name for track, _ in dead),
        )

    def _of_one(self, recording: Recording, track: Track, since: int) -> Symptom:
        always = since <= 1
        sure = always and len(track.values("gradient_rms", since=1)) >= _LEAST_AT_END
        alarming = (sure or struggles(recording)) and not adversaries(recording)
        return self.symptom(
            f"The gradient of layer {track.name} is exactly zero "
            + ("throughout." if always else f"from step {since} to the end."),
            step=since,
            layer=track.name,
            site=track.layer.site,
            severity=Severity.WARNING if alarming else Severity.ADVICE,
            since=since,
            samples=len(track.values("gradient_rms")),
        )


def _zero_since(track: Track) -> int | None:
    """The step from which on the gradient is zero to the end, where that is long enough."""
    values = track.values("gradient_rms", since=1)
    stretch: list[int] = []
    for step, value in reversed(values):
        if value != 0.0:
            break
        stretch.append(step)
    whole = len(stretch) == len(values)
    return stretch[-1] if len(stretch) >= (_LEAST_SAMPLES if whole else _LEAST_AT_END) else None
