"""Faults of what is computed at the end of the network: the loss function and the activations."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import Case
from bugloss.observe.fault import Clue, Fault, at_site, seen
from bugloss.observe.recording import RecordedLayer

# Operations that take a limited range of numbers: an activation before them has to keep to it.
_FRAGILE = ("log", "sqrt", "div", "pow", "reciprocal", "exp", "nll", "entropy", "poisson")
_SQUASHING = {"sigmoid", "tanh", "softsign", "hardsigmoid", "hard_sigmoid"}


class WrongLossFunction(Fault):
    name = "wrong-loss-function"
    fix_pattern = FixPattern.LOSS_FUNCTION
    explanation = "The loss does not measure what the model is to learn."
    advice = (
        "Cross-entropy for classes, binary cross-entropy for yes-or-no labels, squared or absolute error for numbers; "
        "it must fall when the answers get better."
    )

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("wrong-loss-for-targets"))
        yield from seen(case.saw("label-encoding-mismatch"))
        yield from seen(case.saw("loss-negative"))
        yield from seen(case.saw("head-loss-mismatch"))
        yield from seen(case.saw("loss-metric-disagreement"))
        yield from seen(case.saw("wrong-initial-loss"))
        yield from seen(case.saw("loss-flat", "underfitting", "constant-output"), "not-learning")
        if one_unit_for_many(case):
            words = "the loss wants one output a class, but the model answers yes or no with a single one"
            yield Clue("one-unit-for-many", words)

    def places(self, case: Case) -> Iterator[Location]:
        for loss in case.recording.losses:
            yield from at_site(loss.site, 0.9, f"{loss.name} is used here")


class WrongActivation(Fault):
    name = "wrong-activation"
    fix_pattern = FixPattern.ACTIVATION
    explanation = "An activation keeps the network from giving, or learning, the answers that are wanted."
    advice = (
        "The last layer's activation must reach the targets and suit the loss; hidden layers do well with ReLU or GELU."
    )

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("target-outside-range"))
        yield from seen(case.saw("head-loss-mismatch"))
        yield from seen(case.saw("saturated-units"))
        troubled = case.saw(
            "loss-flat", "underfitting", "vanishing-gradient", "dead-units", "constant-output", "zero-gradient"
        )
        yield from seen(troubled, "trouble")
        squashed = [layer for layer in _hidden(case) if _activation(layer) in _SQUASHING]
        stuck = case.saw("vanishing-gradient") or (len(squashed) >= 4 and case.saw("loss-flat", "constant-output"))
        if stuck and len(squashed) >= 3:
            yield Clue(
                "squashing-layers",
                f"{len(squashed)} hidden layers squash values ({_activation(squashed[0])}): gradients vanish",
            )
        odd = [layer for layer in _hidden(case) if _activation(layer) in {"softmax", "exponential", "exp"}]
        if odd:
            yield Clue(
                "output-activation-inside",
                f"the hidden layer {odd[0].name} has the activation {_activation(odd[0])}, which is made for outputs",
            )
        yield from _bad_operation(case)
        if case.saw("weight-initialization-scale", "bias-initialization", "symmetric-weights"):
            yield Clue("initialization-explains", "the initial weights explain it")
        if case.saw("learning-rate-too-high", "update-too-large") and not case.saw("target-outside-range"):
            yield Clue("steps-explain", "the steps are too long")

    def places(self, case: Case) -> Iterator[Location]:
        layers = list(case.recording.layers.values())
        named = [
            symptom.layer
            for symptom in case.all_seen("saturated-units", "target-outside-range", "dead-units", "head-loss-mismatch")
        ]
        for symptom in case.all_seen("target-outside-range", "head-loss-mismatch", "first-bad-operation"):
            yield from at_site(symptom.site, 0.85, symptom.name, symptom.layer)
        for layer in layers:
            odd = _activation(layer) in {"softmax", "exponential", "exp"} and layer is not layers[-1]
            score = 0.9 if odd else 0.8 if layer.name in named else 0.7 if layer is layers[-1] else 0.4
            yield from at_site(layer.site, score, f"{layer.name} is made here", layer.name)


def one_unit_for_many(case: Case) -> bool:
    """Whether a loss over several classes judges the single output of a sigmoid: a sound head under a wrong loss."""
    loss, model = case.loss, case.recording.models[-1] if case.recording.models else None
    if loss is None or model is None or loss.kind not in {"cross-entropy", "nll"}:
        return False
    last = list(case.recording.layers.values())[-1:]
    activation = model.output_activation or (_activation(last[0]) if last else "")
    return activation == "sigmoid" and loss.output_shape[-1:] in ((1,), ())


class NumericInstability(Fault):
    name = "numeric-instability"
    fix_pattern = FixPattern.LOSS_FUNCTION
    explanation = "A formula leaves the range in which it can be computed: log of zero, division by zero, overflow."
    advice = "Use the stable form (log_softmax, logsigmoid, log1p, logsumexp), or clamp the operand."

    def clues(self, case: Case) -> Iterator[Clue]:
        bad = case.saw("first-bad-operation", "loss-nonfinite", "nonfinite-weights")
        yield from seen(bad, "nonfinite")
        if any(event.operation and event.direction != "input" for event in case.recording.nonfinite):
            yield Clue("operation-known", "the operation that made the first of them is known")
        if bad is None and case.recording.steps:
            yield Clue("all-finite", "every number of this run was finite")

    def places(self, case: Case) -> Iterator[Location]:
        for symptom in case.all_seen("first-bad-operation"):
            yield from at_site(symptom.site, 0.9, symptom.name, symptom.layer)


def _bad_operation(case: Case) -> Iterator[Clue]:
    """A log or root whose operand an activation lets reach zero or below."""
    for event in case.recording.nonfinite:
        word = event.operation.lower()
        if event.direction in {"forward", "loss"} and any(name in word for name in _FRAGILE):
            lowest = min((numbers.minimum for numbers in event.inputs), default=None)
            reach = f" of {lowest:g}" if lowest is not None else ""
            yield Clue(
                "bad-operation",
                f"{event.operation}{reach} gives the first non-finite value: the activation before it lets that happen",
            )


def _hidden(case: Case) -> list[RecordedLayer]:
    parametric = [layer for layer in case.recording.layers.values() if layer.parameters or _activation(layer)]
    return parametric[:-1]


def _activation(layer: RecordedLayer) -> str:
    named = layer.settings.get("activation")
    if isinstance(named, str) and named not in {"linear", "identity", ""}:
        return named.lower()
    kind = layer.kind.lower()
    return kind if kind in {"sigmoid", "tanh", "softmax", "relu", "softsign", "hardsigmoid"} else ""


PLUGINS: tuple[Fault, ...] = (WrongLossFunction(), WrongActivation(), NumericInstability())
