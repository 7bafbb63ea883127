"""exploding-gradient."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import alarm_if_struggling, struggles
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import falling, noisy, sketch
from bugloss.observe.tracks import Track, trainable
from bugloss.observe.trends import persistent

_LEAST_NORMS = 8  # a quarter of them is the usual size, which takes two
_GROWN = 10.0  # times the usual norm: mini-batch noise stays within a factor of a few
_BURST = 100.0  # times the usual norm: no schedule or hard batch makes such steps
_IN_A_ROW = 3  # norms in a row, so that one hard batch does not count


class ExplodingGradient(Detector):
    """Gradients become very large, NaN or infinite.

    ## What it finds
    Gradients that are inf or NaN, or a gradient norm that stays many times above its initial value.

    ## Why it hurts
    One update with such a gradient moves the weights far away; NaN often follows within a few steps.

    ## How it decides
    Inf or NaN in a gradient is an error, except on steps that a gradient scaler skipped; it is advice where the model
    learns nevertheless. Otherwise the norm must exceed a hundred times the median of its first quarter three times in a
    row: a warning where the model does not learn. Ten times, or a clipped gradient, is advice.

    ## Known problems
    Where the norm is known on sampled steps only, three in a row may be far apart.

    ## References
    Fault catalogue, training dynamics: grad-explode; Pascanu, Mikolov and Bengio (2013) on recurrent networks.
    """

    name = "exploding-gradient"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch([*falling(count=5), *[math.nan] * 95], layers={"fc1": {"gradient_nonfinite": [0, 0, 0, 7]}}),
        sketch(falling(2.3, 80.0), steps={"gradient_norm": [0.5 * 1.1**index for index in range(100)]}),
        sketch(steps={"gradient_norm": [*[0.5] * 50, *[9.0] * 50]}),
    )
    healthy = (
        sketch(steps={"gradient_norm": noisy([0.5] * 100, 0.8)}),
        sketch(layers={"fc1": {"gradient_nonfinite": [0, 7, 0]}}, steps={"skipped": [False, True, False]}),
        sketch(steps={"gradient_norm": [*[0.5] * 50, 40.0, *[0.5] * 49]}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        broken = _first_nonfinite(recording)
        if broken is not None:
            step, count, track = broken
            yield self.symptom(
                f"The gradient of layer {track.name} contains {count} values that are NaN or infinite at step {step}.",
                step=step,
                layer=track.name,
                site=track.layer.site,
                severity=Severity.ERROR if struggles(recording) else Severity.ADVICE,
                count=count,
            )
        else:
            yield from self._growing(recording)

    def _growing(self, recording: Recording) -> Iterator[Symptom]:
        norms = _norms(recording)
        if len(norms) < _LEAST_NORMS:
            return
        usual = median(norm for _, norm in norms[: max(len(norms) // 4, 3)])
        for times in (_BURST, _GROWN):
            at = persistent((norm > times * usual > 0 for _, norm in norms), _IN_A_ROW)
            if at is None:
                continue
            step, largest = norms[at][0], max(norm for _, norm in norms)
            clipped = any(occasion.kind == "clip" for occasion in recording.occasions)
            alarming = times == _BURST and not clipped
            yield self.symptom(
                f"The gradient norm grows from about {usual:.3g} to {largest:.3g}, starting at step {step}.",
                step=step,
                severity=alarm_if_struggling(recording) if alarming else Severity.ADVICE,
                usual=usual,
                largest=largest,
                clipped=clipped,
            )
            return


def _first_nonfinite(recording: Recording) -> tuple[int, int, Track] | None:
    skipped = {step.step for step in recording.steps if step.skipped}
    hit = [
        (step, numbers.gradient_nonfinite, track)
        for track in trainable(recording)
        for step, numbers in track.points
        if numbers.gradient_nonfinite > 0 and step not in skipped
    ]
    return min(hit, key=lambda found: found[0], default=None)


def _norms(recording: Recording) -> list[tuple[int, float]]:
    """The norm of the whole gradient by step; where steps do not have it, computed from the layers."""
    known = [(step.step, step.gradient_norm) for step in recording.steps if step.gradient_norm is not None]
    if len(known) < _LEAST_NORMS:
        squares: dict[int, float] = {}
        for track in trainable(recording):
            for step, value in track.values("gradient_rms"):
                squares[step] = squares.get(step, 0.0) + value * value * track.layer.parameters
        known = [(step, math.sqrt(square)) for step, square in sorted(squares.items())]
    return [(step, norm) for step, norm in known if math.isfinite(norm)]
