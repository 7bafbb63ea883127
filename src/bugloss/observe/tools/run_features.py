"""A training run as a row of numbers: what the classifiers of ``deepfd`` look at.

Every feature is free of the loss's scale or a logarithm, so that runs of different tasks can be in one table. A feature
that a recording cannot give is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median

from bugloss.observe.recording import LayerNumbers, Recording
from bugloss.observe.tools.architecture import trained_layers
from bugloss.observe.tools.curves import epoch_accuracies, epoch_losses, parts
from bugloss.observe.trends import finite, noise, trend, turning_share

UNKNOWN = math.nan
BOUND = 12.0  # logarithms beyond this say no more than "far away"


def features(recording: Recording) -> dict[str, float]:
    """All features of a run by name."""
    return {name: feature(recording) for name, feature in FEATURES.items()}


# loss


def _loss_nonfinite(recording: Recording) -> float:
    return _share(not math.isfinite(loss) for loss in recording.loss_values)


def _loss_first(recording: Recording) -> float:
    return _logarithm(_ends(recording)[0])


def _loss_last(recording: Recording) -> float:
    return _logarithm(_ends(recording)[1])


def _loss_fall(recording: Recording) -> float:
    """How many decades the loss fell."""
    first, last = _ends(recording)
    return _decades(first, last)


def _loss_fall_early(recording: Recording) -> float:
    """The share of the whole fall that the first fifth of the run brought."""
    curve = parts(finite(recording.loss_values))
    whole = max(curve) - min(curve) if len(curve) > 4 else 0.0
    return (curve[0] - curve[len(curve) // 5]) / whole if whole else UNKNOWN


def _loss_fall_late(recording: Recording) -> float:
    """The part of its own height that the loss still lost in the last third."""
    curve = parts(finite(recording.loss_values), 9)
    if len(curve) < 9 or not curve[5]:
        return UNKNOWN
    return _clip((curve[5] - curve[8]) / abs(curve[5]))


def _loss_trend(recording: Recording) -> float:
    return _clip(trend(finite(recording.loss_values)))


def _loss_noise(recording: Recording) -> float:
    values = finite(recording.loss_values)
    level = abs(fmean(values)) if values else 0.0
    return _logarithm(noise(values) / level) if level else UNKNOWN


def _loss_turning(recording: Recording) -> float:
    return turning_share(finite(epoch_losses(recording)))


def _loss_peak(recording: Recording) -> float:
    """How far the highest loss is above the first, in decades."""
    values = finite(recording.loss_values)
    return _decades(max(values), _ends(recording)[0]) if values else UNKNOWN


def _loss_negative(recording: Recording) -> float:
    return _share(loss < 0 for loss in recording.loss_values)


# accuracy, and the gap between training and validation


def _accuracy_first(recording: Recording) -> float:
    return _at(epoch_accuracies(recording), 0)


def _accuracy_last(recording: Recording) -> float:
    return _at(epoch_accuracies(recording), -1)


def _accuracy_gain(recording: Recording) -> float:
    return _accuracy_last(recording) - _accuracy_first(recording)


def _accuracy_gain_late(recording: Recording) -> float:
    curve = epoch_accuracies(recording)
    return curve[-1] - curve[2 * len(curve) // 3 - 1] if len(curve) >= 3 else UNKNOWN


def _accuracy_noise(recording: Recording) -> float:
    return noise(finite(epoch_accuracies(recording)))


def _validation_gap(recording: Recording) -> float:
    """How far the validation loss is above the training loss at the end, in decades."""
    last = next((epoch for epoch in reversed(recording.epochs) if epoch.validation_loss is not None), None)
    if last is None or last.loss is None or last.validation_loss is None:
        return UNKNOWN
    return _decades(last.validation_loss, last.loss)


# gradients


def _gradient_size(recording: Recording) -> float:
    return _logarithm(_median(_of_all(recording, "gradient_rms")))


def _gradient_vanishing(recording: Recording) -> float:
    """How many decades the gradient of the first trained layer is below that of the last."""
    layers = trained_layers(recording)
    if len(layers) < 2:
        return UNKNOWN
    front, back = (_median(_of_layer(recording, "gradient_rms", layer.name)) for layer in (layers[0], layers[-1]))
    return _decades(back, front)


def _gradient_growth(recording: Recording) -> float:
    return _growth(recording, "gradient_rms")


def _gradient_zero(recording: Recording) -> float:
    return _largest(_of_all(recording, "gradient_zero_share"))


def _gradient_nonfinite(recording: Recording) -> float:
    return _share(bool(numbers.gradient_nonfinite) for numbers in _numbers(recording))


# weights


def _update_size(recording: Recording) -> float:
    return _logarithm(_median(_of_all(recording, "update_ratio")))


def _update_largest(recording: Recording) -> float:
    return _logarithm(_largest(_of_all(recording, "update_ratio")))


def _update_late(recording: Recording) -> float:
    """How the last updates compare with the first, in decades."""
    return _growth(recording, "update_ratio")


def _weight_growth(recording: Recording) -> float:
    return _growth(recording, "weight_rms")


def _weight_unchanged(recording: Recording) -> float:
    return _share(numbers.changed is False for numbers in _numbers(recording) if numbers.changed is not None)


# activations


def _dead(recording: Recording) -> float:
    return _largest(_of_all(recording, "dead_share"))


def _zeros(recording: Recording) -> float:
    return _median(_of_all(recording, "zero_share"))


def _saturated(recording: Recording) -> float:
    return _largest(_of_all(recording, "saturated_share"))


def _output_size(recording: Recording) -> float:
    """The spread of the last layer's outputs."""
    layers = trained_layers(recording)
    return _logarithm(_median(_of_layer(recording, "output_std", layers[-1].name))) if layers else UNKNOWN


def _output_shrinking(recording: Recording) -> float:
    """How many decades the spread of outputs falls from the first trained layer to the last."""
    layers = trained_layers(recording)
    if len(layers) < 2:
        return UNKNOWN
    front, back = (_median(_of_layer(recording, "output_std", layer.name)) for layer in (layers[0], layers[-1]))
    return _decades(front, back)


# length


def _steps(recording: Recording) -> float:
    return _logarithm(float(len(recording.steps)))


FEATURES: Mapping[str, Callable[[Recording], float]] = {
    "loss_nonfinite": _loss_nonfinite,
    "loss_first": _loss_first,
    "loss_last": _loss_last,
    "loss_fall": _loss_fall,
    "loss_fall_early": _loss_fall_early,
    "loss_fall_late": _loss_fall_late,
    "loss_trend": _loss_trend,
    "loss_noise": _loss_noise,
    "loss_turning": _loss_turning,
    "loss_peak": _loss_peak,
    "loss_negative": _loss_negative,
    "accuracy_first": _accuracy_first,
    "accuracy_last": _accuracy_last,
    "accuracy_gain": _accuracy_gain,
    "accuracy_gain_late": _accuracy_gain_late,
    "accuracy_noise": _accuracy_noise,
    "validation_gap": _validation_gap,
    "gradient_size": _gradient_size,
    "gradient_vanishing": _gradient_vanishing,
    "gradient_growth": _gradient_growth,
    "gradient_zero": _gradient_zero,
    "gradient_nonfinite": _gradient_nonfinite,
    "update_size": _update_size,
    "update_largest": _update_largest,
    "update_late": _update_late,
    "weight_growth": _weight_growth,
    "weight_unchanged": _weight_unchanged,
    "dead": _dead,
    "zeros": _zeros,
    "saturated": _saturated,
    "output_size": _output_size,
    "output_shrinking": _output_shrinking,
    "steps": _steps,
}


# arithmetic


def _ends(recording: Recording) -> tuple[float, float]:
    """The median loss of the first and of the last twentieth of the run."""
    values = finite(recording.loss_values)
    few = max(len(values) // 20, 1)
    return (median(values[:few]), median(values[-few:])) if values else (UNKNOWN, UNKNOWN)


def _numbers(recording: Recording) -> Iterable[LayerNumbers]:
    return (numbers for sample in recording.samples for numbers in sample.layers.values())


def _of_all(recording: Recording, name: str) -> list[float]:
    return finite(getattr(numbers, name) for numbers in _numbers(recording))


def _of_layer(recording: Recording, name: str, layer: str) -> list[float]:
    return finite(value for _, value in recording.series(name, layer))


def _growth(recording: Recording, name: str) -> float:
    """The largest growth of a number over all trained layers, last third against first, in decades."""
    found = []
    for layer in trained_layers(recording):
        curve = parts(_of_layer(recording, name, layer.name), 3)
        if len(curve) > 1:
            found.append(_decades(curve[-1], curve[0]))
    return _largest(finite(found))


def _median(values: Sequence[float]) -> float:
    return median(values) if values else UNKNOWN


def _largest(values: Sequence[float]) -> float:
    return max(values, default=UNKNOWN)


def _at(values: Sequence[float], index: int) -> float:
    return values[index] if values else UNKNOWN


def _share(flags: Iterable[bool]) -> float:
    known = list(flags)
    return sum(known) / len(known) if known else UNKNOWN


def _decades(above: float, below: float) -> float:
    """log10(above / below), bounded."""
    return _clip(_logarithm(above) - _logarithm(below))


def _logarithm(value: float) -> float:
    """log10, bounded; zero and negative values count as nothing."""
    if math.isnan(value):
        return UNKNOWN
    return _clip(math.log10(value)) if value > 0 else -BOUND


def _clip(value: float) -> float:
    return value if math.isnan(value) else max(-BOUND, min(BOUND, value))
