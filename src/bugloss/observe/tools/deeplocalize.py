"""DeepLocalize, rebuilt from its description (Wardat, Le, Rajan: "DeepLocalize: Fault Localization for Deep Neural
Networks", ICSE 2021).

*Idea.* Watch a network while it trains as a debugger would watch a program. After every batch the values are checked in
the order in which they are computed: outputs of each layer forward, loss and accuracy, gradients of each layer
backward, weights after the update. The first value that is NaN or infinite, zero or constant, stops the training, and
the layer and phase it belongs to are reported as the faulty ones. A model that breaks nothing but does not learn is
reported without a layer.

*Parameters as published.* A check after each batch; errors are NaN, infinity and all-zero values, unchanged values, and
metrics that do not improve for a number of epochs that the user sets. We use three.

*What differs here.* The tool re-ran a translated copy, or sat in a Keras callback, and ended the process. This one
reads a recording afterwards, so it sees sampled steps (the first bad operation is still exact: the probe watches for it
on every step) and works for PyTorch too. Values before and after an activation are distinguished only where the
activation is a layer of its own. The tool names a place and no repair; the fix pattern given is the one that the phase
suggests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.observe.recording import LayerNumbers, NonFinite, Recording, Sample, TrainingStep
from bugloss.observe.tools.changes import ProposedChange, cause
from bugloss.observe.tools.contract import Tool, ToolAnswer
from bugloss.observe.tools.curves import epoch_accuracies, epoch_losses

ROUNDS = 3

_PHASES = {"input": "forward", "forward": "forward", "loss": "loss", "backward": "backward", "weights": "update"}
_CHANGES = {
    "forward": ProposedChange.LAYER,
    "loss": ProposedChange.LOSS,
    "backward": ProposedChange.LAYER,
    "update": ProposedChange.OPTIMIZER,
    "learning": ProposedChange.LAYER,
}


@dataclass(frozen=True, slots=True)
class Error:
    """The first value that went wrong: when, in which phase, in which layer."""

    step: int
    phase: str  # forward | loss | backward | update | learning
    message: str
    layer: str | None = None


class DeepLocalize(Tool):
    """Numeric checks in the order of computation; the first faulty layer and phase."""

    name = "deeplocalize"

    def diagnose(self, recordings: Sequence[Recording]) -> ToolAnswer:
        """The first error of the first run."""
        if not recordings:
            return ToolAnswer(self.name, remarks=("No run is given.",))
        recording = recordings[0]
        error = first_error(recording)
        if error is None:
            return ToolAnswer(self.name, remarks=("All checked values are finite and change, and the model learns.",))
        symptom = _symptom(error, recording)
        found = cause(_CHANGES[error.phase], recording, 0.5, error.message, layer=error.layer, symptoms=(symptom.name,))
        return ToolAnswer(self.name, (symptom,), (found,))


def first_error(recording: Recording) -> Error | None:
    """The earliest error; within a step the phases follow each other as they are computed."""
    errors = [*_numeric(recording), *_checked(recording)]
    if errors:
        return min(errors, key=lambda error: (error.step, list(_CHANGES).index(error.phase)))
    return _not_learning(recording)


def _symptom(error: Error, recording: Recording) -> Symptom:
    described = recording.layers.get(error.layer or "")
    site = described.site if described else None
    name = "model-does-not-learn" if error.phase == "learning" else f"error-in-{error.phase}"
    return Symptom(name, Severity.ERROR, error.message, error.step, error.layer, site, {"phase": error.phase})


def _numeric(recording: Recording) -> Iterator[Error]:
    """NaN and infinity, from the events that the probe wrote on the step itself."""
    for event in recording.nonfinite:
        phase = _PHASES.get(event.direction, "forward")
        yield Error(event.step, phase, _numeric_message(event), event.layer or None)
    for step in recording.steps:
        if step.loss is not None and not math.isfinite(step.loss):
            yield Error(step.step, "loss", f"The loss is {step.loss} at step {step.step}.")
            return


def _numeric_message(event: NonFinite) -> str:
    where = f" in layer {event.layer}" if event.layer else ""
    what = f" by {event.operation}" if event.operation else ""
    return f"NaN or infinity is computed{what} in the {event.direction} phase{where} at step {event.step}."


def _checked(recording: Recording) -> Iterator[Error]:
    """The checks of every sampled step, layer after layer as the values are computed."""
    history: dict[str, list[LayerNumbers]] = {}
    steps = {step.step: step for step in recording.steps}
    for sample in recording.samples:
        for layer, numbers in sample.layers.items():
            history.setdefault(layer, []).append(numbers)
        error = _check(sample, history, steps)
        if error is not None:
            yield error
            return


def _check(sample: Sample, history: dict[str, list[LayerNumbers]], steps: dict[int, TrainingStep]) -> Error | None:
    forward = list(sample.layers)
    return (
        _scan(sample.step, "forward", forward, history, _output_fault)
        or _zero_loss(steps.get(sample.step))
        or _scan(sample.step, "backward", forward[::-1], history, _gradient_fault)
        or _scan(sample.step, "update", forward, history, _weight_fault)
    )


def _scan(
    step: int,
    phase: str,
    layers: Sequence[str],
    history: dict[str, list[LayerNumbers]],
    fault: Callable[[Sequence[LayerNumbers]], str | None],
) -> Error | None:
    """The first layer, in the order given, whose numbers show a fault."""
    for layer in layers:
        problem = fault(history[layer])
        if problem:
            return Error(step, phase, f"{problem} in layer {layer} at step {step}.", layer)
    return None


def _zero_loss(step: TrainingStep | None) -> Error | None:
    if step is None or step.loss != 0:
        return None
    return Error(step.step, "loss", f"The loss is exactly zero at step {step.step}.")


def _output_fault(history: Sequence[LayerNumbers]) -> str | None:
    numbers = history[-1]
    if numbers.output_nonfinite:
        return "Outputs are NaN or infinite"
    if numbers.zero_share is not None and numbers.zero_share >= 1:
        return "All outputs are zero"
    return "All outputs are equal" if numbers.output_std == 0 else None


def _trains(history: Sequence[LayerNumbers]) -> bool:
    """A frozen layer may well keep its weights."""
    return any(numbers.gradient_rms is not None for numbers in history)


def _gradient_fault(history: Sequence[LayerNumbers]) -> str | None:
    numbers = history[-1]
    if numbers.gradient_nonfinite:
        return "Gradients are NaN or infinite"
    return "All gradients are zero" if numbers.gradient_rms == 0 else None


def _weight_fault(history: Sequence[LayerNumbers]) -> str | None:
    if history[-1].weight_nonfinite:
        return "Weights are NaN or infinite"
    last = [item.changed for item in history[-ROUNDS:]]
    stuck = len(last) == ROUNDS and all(changed is False for changed in last)
    return "Trainable weights do not change" if stuck and _trains(history) else None


def _not_learning(recording: Recording) -> Error | None:
    """Loss and accuracy at the ends of epochs; both must fail to improve where both are known."""
    losses, accuracies = epoch_losses(recording), epoch_accuracies(recording)
    stuck = [_no_better(losses, smaller_is_better=True)]
    if len(accuracies) > ROUNDS:
        stuck.append(_no_better(accuracies, smaller_is_better=False))
    if len(losses) <= ROUNDS or not all(stuck):
        return None
    last = recording.steps[-1].step if recording.steps else 0
    return Error(last, "learning", f"The model does not learn: the loss goes from {losses[0]:.4g} to {losses[-1]:.4g}.")


def _no_better(values: Sequence[float], *, smaller_is_better: bool) -> bool:
    """Whether no value after the first epochs is better than the best of these."""
    if len(values) <= ROUNDS:
        return False
    signed = values if smaller_is_better else [-value for value in values]
    return min(signed[ROUNDS:]) >= min(signed[:ROUNDS])
