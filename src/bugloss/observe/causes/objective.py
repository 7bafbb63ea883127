"""Faults of the loss function and the activations."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Location
from bugloss.core.network.activation import activation, saturates
from bugloss.core.plural import plural
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import Case
from bugloss.observe.fault import Clue, Fault, at_site, seen
from bugloss.observe.recording import RecordedLayer

# Operations that take a limited range of numbers: an activation before them has to keep to it.
_FRAGILE = ("log", "sqrt", "div", "pow", "reciprocal", "exp", "nll", "entropy", "poisson")
_ELEMENTARY = {"sqrt", "rsqrt", "exp", "reciprocal", "pow", "div"}  # what formulas of any kind consist of
_MANY_SQUASHED = 3  # sigmoid or tanh layers in a row from which gradients vanish visibly
_OTHER_WIDTH = 0.05  # the mean of a softmax is one over its width; single precision is far more exact


class WrongLossFunction(Fault):
    name = "wrong-loss-function"
    fix_pattern = FixPattern.LOSS_FUNCTION
    explanation = "The loss function does not fit the outputs and targets."
    advice = (
        "Use nn.CrossEntropyLoss on logits for classes, nn.BCEWithLogitsLoss on logits for binary labels, nn.MSELoss "
        "or nn.L1Loss for real numbers."
    )
    keras_advice = (
        "Use sparse_categorical_crossentropy for class indices, categorical_crossentropy for one-hot labels, "
        "binary_crossentropy for binary labels, mse or mae for real numbers."
    )
    stated_by = ("wrong-loss-for-targets", "label-encoding-mismatch", "head-loss-mismatch", "loss-negative")

    def explain(self, case: Case) -> str:
        stated = super().explain(case)
        if stated == self.explanation and case.loss is not None:
            return f"{case.loss.name} does not fit the outputs and targets of the model."
        return stated

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("wrong-loss-for-targets"))
        yield from seen(case.saw("label-encoding-mismatch"))
        yield from seen(case.saw("loss-negative"))
        yield from seen(case.saw("head-loss-mismatch"))
        yield from seen(case.saw("loss-metric-disagreement"))
        yield from seen(case.saw("wrong-initial-loss"))
        yield from seen(case.saw("loss-flat", "underfitting", "constant-output"), "not-learning")
        if one_unit_for_many(case):
            words = "the loss takes one output per class, but the model has a single output with a sigmoid"
            yield Clue("one-unit-for-many", words)

    def places(self, case: Case) -> Iterator[Location]:
        for loss in case.recording.losses:
            yield from at_site(loss.site, 0.9, f"{loss.name} is called here")


class WrongActivation(Fault):
    name = "wrong-activation"
    fix_pattern = FixPattern.ACTIVATION
    explanation = "An activation does not fit the targets or the loss, or makes gradients vanish."
    advice = "Use ReLU or GELU in hidden layers, and an output activation that fits the targets and the loss."
    stated_by = ("target-outside-range", "head-loss-mismatch")

    def explain(self, case: Case) -> str:
        stated, squashed, odd = super().explain(case), _squashed(case), _output_activations_inside(case)
        if stated != self.explanation:
            return stated
        if odd:
            return f"The hidden layer {odd[0].name} has {_activation(odd[0])} as its activation, which is for outputs."
        if len(squashed) >= _MANY_SQUASHED:
            return f"{_squashing(squashed)}."
        saturated = case.saw("saturated-units")
        return saturated.message if saturated is not None else stated

    def advise(self, case: Case) -> str:
        inside = _output_activations_inside(case) or _squashed(case)
        if super().explain(case) == self.explanation and inside:
            return f"Replace {_activation(inside[0])} in the hidden layers by ReLU or GELU."
        return self.advice

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("target-outside-range"))
        yield from seen(case.saw("head-loss-mismatch"))
        yield from seen(case.saw("saturated-units"))
        troubled = case.saw(
            "loss-flat", "underfitting", "vanishing-gradient", "dead-units", "constant-output", "zero-gradient"
        )
        yield from seen(troubled, "trouble")
        squashed = _squashed(case)
        stuck = case.saw("vanishing-gradient") or (len(squashed) >= 4 and case.saw("loss-flat", "constant-output"))
        if stuck and len(squashed) >= _MANY_SQUASHED:
            yield Clue("squashing-layers", _squashing(squashed))
        odd = _output_activations_inside(case)
        if odd:
            yield Clue(
                "output-activation-inside",
                f"the hidden layer {odd[0].name} has the activation {_activation(odd[0])}, which is for outputs",
            )
        yield from _bad_operation(case)
        if case.saw("weight-initialization-scale", "bias-initialization", "symmetric-weights"):
            yield Clue("initialization-explains", "the initial weights explain it")
        if case.saw("learning-rate-too-high", "update-too-large") and not case.saw("target-outside-range"):
            yield Clue("steps-explain", "large updates explain it")

    def places(self, case: Case) -> Iterator[Location]:
        layers = list(case.recording.layers.values())
        named = [
            symptom.layer
            for symptom in case.all_seen("saturated-units", "target-outside-range", "dead-units", "head-loss-mismatch")
        ]
        for symptom in case.all_seen("target-outside-range", "head-loss-mismatch", "first-bad-operation"):
            yield from at_site(symptom.site, 0.85, symptom.name, symptom.layer)
        for layer in layers:
            odd = _is_for_outputs(layer) and layer is not layers[-1]
            score = 0.9 if odd else 0.8 if layer.name in named else 0.7 if layer is layers[-1] else 0.4
            yield from at_site(layer.site, score, f"{layer.name} is created here", layer.name)


def one_unit_for_many(case: Case) -> bool:
    """Whether a loss for several classes gets the single output of a sigmoid: the output layer is right."""
    loss, model = case.loss, case.recording.models[-1] if case.recording.models else None
    if loss is None or model is None or loss.kind not in {"cross-entropy", "nll"}:
        return False
    last = list(case.recording.layers.values())[-1:]
    activation = model.output_activation or (_activation(last[0]) if last else "")
    return activation == "sigmoid" and loss.output_shape[-1:] in ((1,), ())


class NumericInstability(Fault):
    name = "numeric-instability"
    fix_pattern = FixPattern.LOSS_FUNCTION
    explanation = "An operation returns NaN or infinity: logarithm of 0, division by 0 or overflow."
    advice = "Use the stable form (log_softmax, logsigmoid, log1p, logsumexp), or clamp the input: x.clamp(min=1e-8)."
    keras_advice = "Use the loss with from_logits=True or a stable form (log_softmax), or clip: tf.maximum(x, 1e-8)."
    stated_by = ("first-bad-operation",)

    def clues(self, case: Case) -> Iterator[Clue]:
        bad = case.saw("first-bad-operation", "loss-nonfinite", "nonfinite-weights")
        yield from seen(bad, "nonfinite")
        if any(event.operation and event.direction != "input" for event in case.recording.nonfinite):
            yield Clue("operation-known", "the first operation that returns NaN or infinity is known")
        if bad is None and case.recording.steps:
            yield Clue("all-finite", "all values of this run are finite")

    def places(self, case: Case) -> Iterator[Location]:
        for symptom in case.all_seen("first-bad-operation"):
            yield from at_site(symptom.site, 0.9, symptom.name, symptom.layer)


def _bad_operation(case: Case) -> Iterator[Clue]:
    """A logarithm or root whose input can be zero or negative after the activation before it."""
    for event in case.recording.nonfinite:
        word = event.operation.lower()
        if event.direction in {"forward", "loss"} and any(name in word for name in _FRAGILE):
            lowest = min((numbers.minimum for numbers in event.inputs if not numbers.nonfinite), default=None)
            if lowest is None and word in _ELEMENTARY:
                continue  # it may have been given anything
            reach = f" of {lowest:g}" if lowest is not None else ""
            yield Clue(
                "bad-operation",
                f"{event.operation}{reach} returns the first non-finite value; the activation before it allows it",
            )


def _squashed(case: Case) -> list[RecordedLayer]:
    return [layer for layer in _hidden(case) if saturates(_activation(layer))]


def _squashing(layers: list[RecordedLayer]) -> str:
    """How many there are; an activation module of its own counts with the layer before it, which names it as well."""
    weighted = sum(1 for layer in layers if layer.parameters)
    count = plural(max(weighted, len(layers) - weighted), "hidden layer")
    return f"{count} with {_activation(layers[0])}, through which gradients vanish"


def _output_activations_inside(case: Case) -> list[RecordedLayer]:
    """Hidden layers with an activation for outputs: neither another output of the model nor attention weights."""
    layers = [layer for layer in case.recording.layers.values() if layer.used]
    return [
        layer
        for layer in _hidden(case)
        if _is_for_outputs(layer) and _feeds_another(layer, layers) and not _weighs(case, layer, layers)
    ]


def _feeds_another(layer: RecordedLayer, layers: list[RecordedLayer]) -> bool:
    """Whether a later layer can read this one; two outputs of a model both read what comes before them."""
    units = layer.settings.get("units")
    later = [
        reads for one in layers[layers.index(layer) + 1 :] if (reads := one.settings.get("in_features")) is not None
    ]
    return units is None or not later or units in later


def _weighs(case: Case, layer: RecordedLayer, layers: list[RecordedLayer]) -> bool:
    """Whether a softmax has another width than the layer before it: then it weighs positions, as in attention."""
    before = [units for one in layers[: layers.index(layer)] if isinstance(units := one.settings.get("units"), int)]
    means = [
        stats.output_mean
        for sample in case.recording.samples
        if (stats := sample.layers.get(layer.name)) is not None and stats.output_mean
    ]
    if layer.kind.lower() != "softmax" or not before or not means:
        return False
    return abs(means[0] * before[-1] - 1.0) > _OTHER_WIDTH


def _hidden(case: Case) -> list[RecordedLayer]:
    used = [layer for layer in case.recording.layers.values() if layer.used]
    parametric = [layer for layer in used if layer.parameters or _activation(layer)]
    return parametric[:-1]


def _activation(layer: RecordedLayer) -> str:
    named = layer.settings.get("activation")
    if isinstance(named, str) and named not in {"linear", "identity", ""}:
        return named.lower()
    known = activation(layer.kind)
    return known.name if known is not None and not known.is_identity else ""


def _is_for_outputs(layer: RecordedLayer) -> bool:
    known = activation(_activation(layer))
    return known is not None and known.only_last


PLUGINS: tuple[Fault, ...] = (WrongLossFunction(), WrongActivation(), NumericInstability())
