"""DeepDiagnosis, rebuilt from its description (Wardat, Cruz, Le, Rajan: "DeepDiagnosis: Automatically Diagnosing
Faults and Recommending Actionable Fixes in Deep Learning Programs", ICSE 2022).

*Idea.* A fixed set of failure symptoms is checked while the network trains: dead nodes, saturated activations,
exploding tensors, exploding and vanishing gradients, unchanged weights, loss not decreasing, accuracy not increasing,
invalid and zero loss, targets out of the range of the output. The first symptom goes down a decision tree, which
looks at where it was seen and at the program's settings, and ends at one actionable change: loss, activation,
learning rate, optimizer, initialization, data or number of layers.

*Parameters as published.* See ``deepdiagnosis_symptoms``. The tree's shape follows the paper's account (symptom, then
location, then setting); its inner thresholds are ours, because the prose does not give them.

*What differs here.* The tool stops the training at the first symptom and gives one message. Here the first symptom
leads in the same way, and later ones follow with less confidence, at most three in all. It reads a recording, so
checks happen on sampled steps, and PyTorch works too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bugloss.core.diagnosis import Cause, Symptom
from bugloss.core.finding import Severity
from bugloss.observe.recording import Recording
from bugloss.observe.tools.architecture import hidden_activations, output_activation, output_layer, trained_layers
from bugloss.observe.tools.changes import ProposedChange, cause
from bugloss.observe.tools.contract import Tool, ToolAnswer
from bugloss.observe.tools.deepdiagnosis_symptoms import Seen, symptoms

MOST_CAUSES = 3
SMALL_RATE, LARGE_RATE = 1e-5, 0.1
LARGE_INPUT = 10.0  # a scaled input keeps within a few deviations of zero
DEEP = 10  # trained layers
SQUASHING = ("sigmoid", "tanh", "softmax", "hard_sigmoid")
CLASSIFIERS = ("cross-entropy", "nll", "binary-cross-entropy", "hinge")

Verdict = tuple[ProposedChange, str | None]


class DeepDiagnosis(Tool):
    """Symptoms with published thresholds, and a decision tree from the first symptom to an actionable change."""

    name = "deepdiagnosis"

    def diagnose(self, recordings: Sequence[Recording]) -> ToolAnswer:
        """The symptoms of the first run, and what the tree makes of them."""
        if not recordings:
            return ToolAnswer(self.name, remarks=("No run is given.",))
        recording = recordings[0]
        found = symptoms(recording)
        if not found:
            return ToolAnswer(self.name, remarks=("No failure symptom is found.",))
        return ToolAnswer(self.name, tuple(_symptom(seen, recording) for seen in found), _causes(found, recording))


def _symptom(seen: Seen, recording: Recording) -> Symptom:
    described = recording.layers.get(seen.layer or "")
    site = described.site if described else None
    evidence = {} if seen.value is None else {"value": seen.value}
    return Symptom(seen.symptom, Severity.WARNING, seen.message, seen.step, seen.layer, site, evidence)


def _causes(found: Sequence[Seen], recording: Recording) -> tuple[Cause, ...]:
    """One cause a change, in the order of the symptoms that led there."""
    causes: dict[str, Cause] = {}
    for seen in found:
        change, layer = decide(seen, recording)
        confidence = 0.7 / 2 ** len(causes)
        if change.value not in causes and len(causes) < MOST_CAUSES:
            causes[change.value] = cause(
                change, recording, confidence, seen.message, layer=layer, symptoms=(seen.symptom,)
            )
    return tuple(causes.values())


def decide(seen: Seen, recording: Recording) -> Verdict:
    """The decision tree: from a symptom and its place to the change, and the layer that it concerns."""
    return _BRANCHES[seen.symptom](seen, recording)


def _after_explosion(seen: Seen, recording: Recording) -> Verdict:
    """Numbers that blow up: at once they come from the data or the start, later from the steps that are taken."""
    if _input_is_large(recording):
        return ProposedChange.DATA, None
    if seen.layer is not None and seen.step <= 1:
        return ProposedChange.INITIALIZATION, seen.layer
    if seen.layer is not None and seen.layer == output_layer(recording) and _learning_rate(recording) < LARGE_RATE:
        return ProposedChange.ACTIVATION, seen.layer
    return ProposedChange.LEARNING_RATE, None


def _after_invalid_loss(seen: Seen, recording: Recording) -> Verdict:
    if _loss_fits_output(recording):
        return _after_explosion(seen, recording)
    return ProposedChange.LOSS, None


def _after_zero_loss(seen: Seen, recording: Recording) -> Verdict:
    return (
        (ProposedChange.ACTIVATION, output_layer(recording))
        if _single_softmax(recording)
        else (ProposedChange.LOSS, None)
    )


def _after_dead_node(seen: Seen, recording: Recording) -> Verdict:
    if _input_is_large(recording):
        return ProposedChange.DATA, None
    if _dead_from_the_start(seen, recording):
        return ProposedChange.INITIALIZATION, seen.layer
    if _learning_rate(recording) >= LARGE_RATE:
        return ProposedChange.LEARNING_RATE, None
    return ProposedChange.ACTIVATION, seen.layer


def _after_saturation(seen: Seen, recording: Recording) -> Verdict:
    if _input_is_large(recording):
        return ProposedChange.DATA, None
    if seen.step <= 2:
        return ProposedChange.INITIALIZATION, seen.layer
    return ProposedChange.ACTIVATION, seen.layer


def _after_vanishing(seen: Seen, recording: Recording) -> Verdict:
    hidden = hidden_activations(recording)
    squashing = [layer for layer, kind in hidden.items() if kind in SQUASHING]
    if squashing:
        return ProposedChange.ACTIVATION, squashing[0]
    if len(trained_layers(recording)) >= DEEP:
        return ProposedChange.DEPTH, seen.layer
    if not _loss_fits_output(recording):
        return ProposedChange.ACTIVATION, output_layer(recording)
    return ProposedChange.INITIALIZATION, seen.layer


def _after_unchanged(seen: Seen, recording: Recording) -> Verdict:
    """Weights that move a little need larger steps; those that do not move at all have no optimizer that moves them."""
    gradients = [value for _, value in recording.series("gradient_rms", seen.layer or "")]
    if gradients and max(gradients) == 0:
        return ProposedChange.ACTIVATION, seen.layer
    if seen.value or _learning_rate(recording) <= SMALL_RATE:
        return ProposedChange.LEARNING_RATE, None
    return ProposedChange.OPTIMIZER, None


def _after_no_progress(seen: Seen, recording: Recording) -> Verdict:
    """A loss or accuracy that stands still: the head first, then the step size, then the data."""
    if _single_softmax(recording):
        return ProposedChange.ACTIVATION, output_layer(recording)
    if not _loss_fits_output(recording):
        mismatched = _loss_fits_task(recording)
        return (ProposedChange.ACTIVATION, output_layer(recording)) if mismatched else (ProposedChange.LOSS, None)
    if not SMALL_RATE < _learning_rate(recording) < LARGE_RATE:
        return ProposedChange.LEARNING_RATE, None
    if _input_is_large(recording):
        return ProposedChange.DATA, None
    return ProposedChange.OPTIMIZER, None


def _after_out_of_range(seen: Seen, recording: Recording) -> Verdict:
    return ProposedChange.ACTIVATION, seen.layer


_BRANCHES: dict[str, Callable[[Seen, Recording], Verdict]] = {
    "exploding-tensor": _after_explosion,
    "exploding-gradient": _after_explosion,
    "invalid-loss": _after_invalid_loss,
    "zero-loss": _after_zero_loss,
    "dead-node": _after_dead_node,
    "saturated-activation": _after_saturation,
    "vanishing-gradient": _after_vanishing,
    "unchanged-weight": _after_unchanged,
    "loss-not-decreasing": _after_no_progress,
    "accuracy-not-increasing": _after_no_progress,
    "out-of-range": _after_out_of_range,
}


def _learning_rate(recording: Recording) -> float:
    """The first rate that was in force; a common one where none is known."""
    rates = [step.learning_rate for step in recording.steps if step.learning_rate is not None]
    return rates[0] if rates else 0.001


def _input_is_large(recording: Recording) -> bool:
    batch = next((batch for batch in recording.batches if batch.inputs and batch.phase == "train"), None)
    if batch is None or "float" not in batch.inputs[0].dtype:
        return False
    return max(abs(batch.inputs[0].minimum), abs(batch.inputs[0].maximum)) > LARGE_INPUT


def _loss_fits_task(recording: Recording) -> bool:
    """Classes want a classifier's loss, real targets do not."""
    encoding = next((batch.targets.encoding for batch in recording.batches if batch.targets), "")
    if not encoding or not recording.losses:
        return True
    return (encoding != "real") == (recording.losses[0].kind in CLASSIFIERS)


def _loss_fits_output(recording: Recording) -> bool:
    """Whether the loss suits the task and gets what it expects: logits, or probabilities."""
    if not recording.losses or recording.losses[0].kind == "custom":
        return True
    loss, activated = recording.losses[0], output_activation(recording)
    if not _loss_fits_task(recording):
        return False
    if loss.kind not in ("cross-entropy", "binary-cross-entropy") or loss.from_logits is None:
        return True
    return (activated in ("softmax", "sigmoid")) != loss.from_logits


def _single_softmax(recording: Recording) -> bool:
    """Softmax over one unit is always one."""
    shape = recording.losses[0].output_shape if recording.losses else ()
    return output_activation(recording) == "softmax" and len(shape) > 1 and shape[-1] == 1


def _dead_from_the_start(seen: Seen, recording: Recording) -> bool:
    shares = [share for _, share in recording.series("dead_share", seen.layer or "")]
    return bool(shares) and shares[0] > 0.5
