"""The failure symptoms that DeepDiagnosis watches for, each with the first step at which it holds.

Thresholds follow the published ones where these are known: they come from the rules of Amazon SageMaker Debugger, on
which the paper builds (vanishing below 1e-7, weights equal within 1e-5 for three checks, loss to fall by 0.1
percent). The shares of dead and saturated nodes, how far a tensor may grow, and the five epochs without progress are
ours. So is one mercy: a loss or error that has come down to half of what it was at first may rest, or every converged
run would be called faulty.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bugloss.observe.recording import LayerNumbers, Numbers, Recording
from bugloss.observe.tools.architecture import RANGES, output_activation, output_layer
from bugloss.observe.tools.curves import epoch_accuracies, epoch_losses
from bugloss.observe.trends import persistent

VANISHING_GRADIENT = 1e-7
UNCHANGED_WEIGHT = 1e-5
LEAST_IMPROVEMENT = 0.001
DEAD_NODES = 0.7
SATURATED_NODES = 0.7
EXPLOSION = 1e3  # how far beyond its first value a tensor must have grown
ROUNDS = 3
EPOCHS = 5


@dataclass(frozen=True, slots=True)
class Seen:
    """A symptom, when it was first sure, and where."""

    symptom: str
    step: int
    message: str
    layer: str | None = None
    value: float | None = None


def symptoms(recording: Recording) -> tuple[Seen, ...]:
    """All symptoms of a run by step; those of one step in the order in which the tool checks them."""
    found = [seen for check in _CHECKS for seen in check(recording)]
    return tuple(sorted(found, key=lambda seen: seen.step))


def _exploding_tensor(recording: Recording) -> Iterator[Seen]:
    for event in recording.nonfinite[:1]:
        yield Seen(
            "exploding-tensor", event.step, f"A {event.direction} value is NaN or infinite.", event.layer or None
        )
    yield from _first_layer(recording, "exploding-tensor", _exploded, 1, "Outputs or weights explode")


def _exploded(numbers: LayerNumbers, first: LayerNumbers) -> float | None:
    if numbers.output_nonfinite or numbers.weight_nonfinite:
        return math.inf
    pairs = ((numbers.weight_rms, first.weight_rms), (numbers.output_std, first.output_std))
    growth = [now / start for now, start in pairs if now is not None and start]
    return max(growth, default=0.0) if max(growth, default=0.0) > EXPLOSION else None


def _unchanged_weight(recording: Recording) -> Iterator[Seen]:
    yield from _first_layer(recording, "unchanged-weight", _unchanged, ROUNDS, "Weights do not change")


def _unchanged(numbers: LayerNumbers, first: LayerNumbers) -> float | None:
    if numbers.changed is False:
        return 0.0
    ratio = numbers.update_ratio
    return ratio if ratio is not None and ratio < UNCHANGED_WEIGHT else None


def _dead_node(recording: Recording) -> Iterator[Seen]:
    yield from _first_layer(recording, "dead-node", _dead, ROUNDS, "Most units output zero for every sample")


def _dead(numbers: LayerNumbers, first: LayerNumbers) -> float | None:
    share = numbers.dead_share
    return share if share is not None and share > DEAD_NODES else None


def _saturated_activation(recording: Recording) -> Iterator[Seen]:
    # A softmax or sigmoid at the output is meant to come near its ends.
    end = output_layer(recording)
    for seen in _first_layer(recording, "saturated-activation", _saturated, ROUNDS, "Most values are saturated"):
        if seen.layer != end:
            yield seen


def _saturated(numbers: LayerNumbers, first: LayerNumbers) -> float | None:
    share = numbers.saturated_share
    return share if share is not None and share > SATURATED_NODES else None


def _vanishing_gradient(recording: Recording) -> Iterator[Seen]:
    yield from _first_layer(recording, "vanishing-gradient", _vanished, ROUNDS, "Gradients vanish")


def _vanished(numbers: LayerNumbers, first: LayerNumbers) -> float | None:
    size = numbers.gradient_rms
    return size if size is not None and size < VANISHING_GRADIENT else None


def _exploding_gradient(recording: Recording) -> Iterator[Seen]:
    yield from _first_layer(recording, "exploding-gradient", _gradient_exploded, 1, "Gradients explode")


def _gradient_exploded(numbers: LayerNumbers, first: LayerNumbers) -> float | None:
    if numbers.gradient_nonfinite:
        return math.inf
    size, start = numbers.gradient_rms, first.gradient_rms
    return size if size is not None and start and size > EXPLOSION * start else None


def _first_layer(
    recording: Recording,
    symptom: str,
    holds: Callable[[LayerNumbers, LayerNumbers], float | None],
    rounds: int,
    message: str,
) -> Iterator[Seen]:
    """The first layer that shows the symptom on so many sampled steps in a row."""
    first: dict[str, LayerNumbers] = {}
    running: dict[str, int] = {}
    for sample in recording.samples:
        for layer, numbers in sample.layers.items():
            value = holds(numbers, first.setdefault(layer, numbers))
            running[layer] = running.get(layer, 0) + 1 if value is not None else 0
            if running[layer] >= rounds:
                yield Seen(symptom, sample.step, f"{message} in layer {layer} ({value:.3g}).", layer, value)
                return


def _invalid_loss(recording: Recording) -> Iterator[Seen]:
    known = [(step.step, step.loss) for step in recording.steps if step.loss is not None]
    bad = next(((step, loss) for step, loss in known if not math.isfinite(loss)), None)
    if bad is not None:
        yield Seen("invalid-loss", bad[0], f"The loss is {bad[1]:g}.", value=bad[1])
    at = persistent([loss == 0 for _, loss in known], ROUNDS)
    if at is not None:
        yield Seen("zero-loss", known[at][0], "The loss is exactly zero.", value=0.0)


def _out_of_range(recording: Recording) -> Iterator[Seen]:
    activated = output_activation(recording)
    reach = RANGES.get(activated)
    for batch in recording.batches:
        if batch.phase != "train" or batch.target is None or reach is None:
            continue
        encoding = batch.targets.encoding if batch.targets else ""
        if encoding != "index" and _outside(batch.target, reach):
            message = (
                f"The targets range from {batch.target.minimum:.3g} to {batch.target.maximum:.3g}, outside the "
                f"range of {activated}."
            )
            yield Seen("out-of-range", batch.step, message, output_layer(recording))
            return


def _outside(target: Numbers, reach: tuple[float, float]) -> bool:
    slack = 1e-6
    return target.minimum < reach[0] - slack or target.maximum > reach[1] + slack


def _loss_not_decreasing(recording: Recording) -> Iterator[Seen]:
    losses = epoch_losses(recording)
    at = _no_improvement(losses, losses[0] / 2 if losses and losses[0] > 0 else -math.inf)
    if at is not None:
        message = f"The loss was {losses[at - EPOCHS]:.4g} and is {losses[at]:.4g} {EPOCHS} epochs later."
        yield Seen("loss-not-decreasing", _step(recording, at, len(losses)), message, value=losses[at])


def _accuracy_not_increasing(recording: Recording) -> Iterator[Seen]:
    accuracies = epoch_accuracies(recording)
    errors = [1 - value for value in accuracies]
    at = _no_improvement(errors, errors[0] / 2 if errors else 0.0)
    if at is not None:
        message = f"The accuracy was {accuracies[at - EPOCHS]:.3f} and is {accuracies[at]:.3f} {EPOCHS} epochs later."
        yield Seen("accuracy-not-increasing", _step(recording, at, len(accuracies)), message, value=accuracies[at])


def _no_improvement(values: Sequence[float], enough: float) -> int | None:
    """The first place at which a series that should fall had not fallen for long, though it was not low enough yet."""
    for index in range(EPOCHS, len(values)):
        start, since = values[index - EPOCHS], values[index - EPOCHS + 1 : index + 1]
        if start > enough and not min(since) < start - LEAST_IMPROVEMENT * abs(start):
            return index
    return None


def _step(recording: Recording, position: int, count: int) -> int:
    """The step at which a place of the epoch curve was reached."""
    last = recording.steps[-1].step if recording.steps else 0
    return last * (position + 1) // max(count, 1)


_CHECKS: tuple[Callable[[Recording], Iterator[Seen]], ...] = (
    _out_of_range,
    _exploding_tensor,
    _invalid_loss,
    _dead_node,
    _saturated_activation,
    _exploding_gradient,
    _vanishing_gradient,
    _unchanged_weight,
    _loss_not_decreasing,
    _accuracy_not_increasing,
)
