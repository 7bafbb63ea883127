"""unchanged-weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.progress import adversaries, struggles
from bugloss.observe.recording import LayerNumbers, Recording, TrainingStep
from bugloss.observe.sketch import noisy, sketch
from bugloss.observe.tracks import Track, shown, trainable

_LEAST_SAMPLES = 2  # one observed step may have been skipped
_MANY_SAMPLES = 5  # updates may be delayed (accumulated gradients) for fewer
_MOST_LAYERS = 5  # symptoms for more layers say the same thing again
_RESOLUTION = 6e-8  # of a 32-bit float: a smaller share of a weight is lost when it is added
_ADAM_EPSILON = 1e-8  # the default epsilon of Adam: smaller gradients are no longer scaled to one
_FLAT = noisy([2.303] * 100, 0.01)
_STILL = {"changed": False, "update_ratio": 0.0}


class UnchangedWeights(Detector):
    """Weights have gradients but do not change at all.

    ## What it finds
    Layers whose weights are the same before and after every observed update, although their gradient is not zero.

    ## Why it hurts
    The optimizer updates other tensors than the model uses, is never stepped, or its updates are lost in rounding.

    ## How it decides
    Exactly: unchanged on all observed steps (two at least) that had a gradient and a learning rate above zero and were
    not skipped, with the same size of the weights throughout. An error, unless a model that learns was sampled less
    than five times: updates may be delayed. Where the layer is not in the optimizer while others learn, it may be
    intended: advice. Where learning rate times gradient is below floating-point precision, the update is too small: a
    warning.

    ## Known problems
    With several optimizers a layer may be out of turn on the observed steps; then only weights that never differ
    between samples count.

    ## References
    Fault catalogue, training dynamics: weights-unchanged.
    """

    name = "unchanged-weights"
    severity = Severity.ERROR
    category = Category.TRAINING
    faulty = (
        sketch(_FLAT, layers={"fc1": _STILL, "fc2": _STILL}),
        sketch(layers={"fc1": _STILL}),
        sketch(_FLAT, layers={"fc1": _STILL, "fc2": _STILL}, steps={"learning_rate": 1e-12}),
    )
    healthy = (
        sketch(layers={"fc1": {"changed": [False, False, True]}}, steps={"learning_rate": [0.0, 0.0, 0.001]}),
        sketch(layers={"fc1": {**_STILL, "gradient_rms": 0.0, "gradient_maximum": 0.0}}),
        sketch(layers={"fc1": {"changed": False, "weight_rms": [0.2, 0.21, 0.22]}}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        steps = {step.step: step for step in recording.steps}
        layers = [
            track for track in trainable(recording) if any(numbers.changed is not None for _, numbers in track.points)
        ]
        still = [track for track in layers if _never_changed(track, steps)]
        if len(still) == len(layers) > 1:
            yield self._of_all(recording, still, steps)
        else:
            yield from (self._of_one(recording, track, steps) for track in still[:_MOST_LAYERS])

    def _of_all(self, recording: Recording, still: list[Track], steps: Mapping[int, TrainingStep]) -> Symptom:
        lost = all(_lost_in_rounding(recording, track, steps) for track in still)
        return self.symptom(
            f"The weights of all {len(still)} layers stay exactly the same, although they have "
            f"gradients{_because(lost)}.",
            step=still[0].points[0][0],
            severity=Severity.ADVICE
            if not _sure(recording, still[0])
            else Severity.WARNING
            if lost
            else Severity.ERROR,
            layers=shown(track.name for track in still),
            lost_in_rounding=lost,
        )

    def _of_one(self, recording: Recording, track: Track, steps: Mapping[int, TrainingStep]) -> Symptom:
        lost = _lost_in_rounding(recording, track, steps)
        left_out = any(
            name == track.name or name.startswith(f"{track.name}.")
            for each in recording.optimizers
            for name in each.missing
        )
        hint = left_out or adversaries(recording) or not _sure(recording, track)
        gradient = track.level("gradient_rms")
        return self.symptom(
            f"The weights of layer {track.name} never change, although its gradient norm is "
            f"{gradient:.2g}{_because(lost)}.",
            step=track.points[0][0],
            layer=track.name,
            site=track.layer.site,
            severity=Severity.ADVICE if hint else Severity.WARNING if lost else Severity.ERROR,
            gradient=gradient,
            left_out_by_the_optimizer=left_out,
            lost_in_rounding=lost,
        )


def _sure(recording: Recording, track: Track) -> bool:
    """A model that learns does change: it was only sampled too rarely, between delayed updates."""
    return struggles(recording) or len(track.points) >= _MANY_SAMPLES


def _because(lost: bool) -> str:
    return ": the updates are too small for floating-point precision" if lost else ""


def _never_changed(track: Track, steps: Mapping[int, TrainingStep]) -> bool:
    chances = [numbers for step, numbers in track.points if _had_a_chance(numbers, steps.get(step))]
    sizes = {value for _, value in track.values("weight_rms")}
    return len(chances) >= _LEAST_SAMPLES and not any(numbers.changed for numbers in chances) and len(sizes) <= 1


def _had_a_chance(numbers: LayerNumbers, step: TrainingStep | None) -> bool:
    if numbers.changed is None or not numbers.gradient_rms or not numbers.gradient_rms > 0:
        return False
    return step is None or (not step.skipped and step.learning_rate != 0.0)


def _lost_in_rounding(recording: Recording, track: Track, steps: Mapping[int, TrainingStep]) -> bool:
    """Whether the largest step that can be expected is too small to change a weight of common size."""
    rates = [step.learning_rate for step in steps.values() if step.learning_rate is not None]
    gradient, weight = track.level("gradient_maximum"), track.level("weight_rms")
    if not rates or gradient is None or not weight:
        return False
    plain = any(optimizer.kind.lower() == "sgd" for optimizer in recording.optimizers)
    return max(rates) * (gradient if plain else min(1.0, gradient / _ADAM_EPSILON)) < _RESOLUTION * weight
