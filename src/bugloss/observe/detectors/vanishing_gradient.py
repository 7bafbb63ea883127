"""vanishing-gradient."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import alarm_if_struggling, may_wander, progress
from bugloss.observe.recording import RecordedLayer, Recording
from bugloss.observe.sketch import noisy, sketch
from bugloss.observe.tracks import Track, trainable

_LEAST_LAYERS, _LEAST_SAMPLES = 3, 3  # a front and a rear half need three; one sample may be odd
_LOST = 1e-3  # of the gradient of the other half: no adaptive optimizer notices less, plain SGD stops at this
_BEYOND_RESCUE = 1e-5  # of the gradient of the other half: noise outweighs it
_NOTHING = 1e-6  # of the weights: updates vanish in rounding soon after
_MOSTLY = 0.6  # of the samples: it is the rule and no exception
_DEEP = tuple(RecordedLayer(f"fc{number}", "Linear", 100, 100, {"units": 10}) for number in range(1, 7))
_FLAT = noisy([2.303] * 100, 0.02)


def _fading(factor: float) -> dict[str, dict[str, float]]:
    return {f"fc{number}": {"gradient_rms": 0.01 * factor ** (6 - number)} for number in range(1, 7)}


class VanishingGradient(Detector):
    """Gradients vanish towards the first layers of the model.

    ## What it finds
    A layer near the input whose gradient is a thousand times smaller than that of a later layer, or gradients that are
    tiny compared with the weights in all layers.

    ## Why it hurts
    The first layers keep their random weights. The causes are saturating activations, great depth or small initial
    weights.

    ## How it decides
    The smallest gradient (root mean square) of the first half of the layers is compared with the largest of the second
    half, on the samples of the first half of the run, when there is still something to learn. Both cases must hold on
    three samples and on most of them. A warning where the model does not learn, or learns little while the gradients
    differ by more than a hundred thousand; otherwise advice: adaptive optimizers compensate for much of it.

    ## Known problems
    Layers are taken in the order in which the model lists them, which need not be the order of their use.

    ## References
    Fault catalogue, training dynamics: grad-vanish; Glorot and Bengio (2010).
    """

    name = "vanishing-gradient"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(_FLAT, architecture=_DEEP, layers=_fading(0.1)),
        sketch(_FLAT, architecture=_DEEP, layers={layer.name: {"gradient_rms": 1e-9} for layer in _DEEP}),
        sketch(architecture=_DEEP, layers=_fading(0.2)),
    )
    healthy = (
        sketch(_FLAT, architecture=_DEEP, layers=_fading(0.5)),
        sketch(architecture=_DEEP, layers={layer.name: {"gradient_rms": [0.01] * 6 + [1e-9] * 4} for layer in _DEEP}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        layers = [track for track in trainable(recording) if track.is_matrix]
        for model in dict.fromkeys(track.model for track in layers):
            own = [track for track in layers if track.model == model]
            early = _early_steps(own)
            if len(own) >= _LEAST_LAYERS and len(early) >= _LEAST_SAMPLES:
                yield from self._judge(recording, own, early)

    def _judge(self, recording: Recording, layers: Sequence[Track], early: Sequence[int]) -> Iterator[Symptom]:
        by_step = _by_step(layers)
        weights = {track.name: track.level("weight_rms") or 0.0 for track in layers}
        found = [hit for step in early if (hit := _compare(by_step[step])) is not None]
        lost = [hit for hit in found if hit[1] < _LOST * hit[3]]
        if len(lost) >= max(_LEAST_SAMPLES, _MOSTLY * len(early)):
            front, small, rear, large = lost[-1]
            yield self.symptom(
                f"The gradient of layer {front.name} ({small:.2g}) is {large / small:.0f} times smaller than that of "
                f"layer {rear.name} ({large:.2g}).",
                step=early[_LEAST_SAMPLES - 1],
                layer=front.name,
                site=front.layer.site,
                severity=Severity.WARNING if _hurts(recording, small / large) else Severity.ADVICE,
                gradient=small,
                rear_gradient=large,
                rear_layer=rear.name,
                ratio=small / large,
            )
        elif sum(_all_tiny(by_step[step], weights) for step in early) >= max(_LEAST_SAMPLES, _MOSTLY * len(early)):
            yield self.symptom(
                f"From the first step the gradients of all {len(layers)} layers are less than a millionth of their "
                "weights.",
                step=early[_LEAST_SAMPLES - 1],
                severity=alarm_if_struggling(recording),
                layers=len(layers),
            )


def _hurts(recording: Recording, ratio: float) -> bool:
    known = progress(recording)
    little = known is not None and known.poor and not may_wander(recording)
    return alarm_if_struggling(recording) is Severity.WARNING or (little and ratio < _BEYOND_RESCUE)


def _early_steps(layers: Sequence[Track]) -> list[int]:
    steps = sorted({step for track in layers for step, _ in track.values("gradient_rms")})
    return steps[: max((len(steps) + 1) // 2, _LEAST_SAMPLES)]


def _by_step(layers: Sequence[Track]) -> dict[int, list[tuple[Track, float]]]:
    """The layers in order with their gradients, for each sampled step."""
    found: dict[int, list[tuple[Track, float]]] = {}
    for track in layers:
        for step, value in track.values("gradient_rms"):
            found.setdefault(step, []).append((track, value))
    return found


def _compare(gradients: Sequence[tuple[Track, float]]) -> tuple[Track, float, Track, float] | None:
    """The smallest gradient of the first half of the layers and the largest of the second; exact zeros are another
    symptom."""
    known = [(track, value) for track, value in gradients if value > 0]
    if len(known) < _LEAST_LAYERS:
        return None
    front = min(known[: len(known) // 2], key=lambda pair: pair[1])
    rear = max(known[len(known) // 2 :], key=lambda pair: pair[1])
    return (*front, *rear)


def _all_tiny(gradients: Sequence[tuple[Track, float]], weights: Mapping[str, float]) -> bool:
    return len(gradients) >= _LEAST_LAYERS and all(
        0 < value < _NOTHING * weights[track.name] for track, value in gradients
    )
