"""Faults of the initialization: weights, biases, normalization layers."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Location, Symptom
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import Case
from bugloss.observe.fault import Clue, Fault, at_place, at_site, seen
from bugloss.observe.recording import RecordedLayer

_TROUBLE = (
    "loss-nonfinite",
    "dead-units",
    "loss-flat",
    "saturated-units",
    "wrong-initial-loss",
    "zero-gradient",
    "vanishing-gradient",
    "exploding-gradient",
    "constant-output",
    "underfitting",
    "loss-diverging",
    "slow-learning",
    "still-improving",
)
_LEAST_TAKEN_OVER = 0.002  # of each batch: 350 batches until half of the start is forgotten (defaults: 0.1, 0.01)
_MOST_TAKEN_OVER = 0.95  # of each batch: evaluation uses the statistics of the last batch alone
_LEAST_DEAD_AT_FIRST = 0.8  # of those that are dead later: most of them died before any update
_MOST_EPSILON = 0.05  # of a variance that is meant to be one (defaults: 1e-5, 1e-3)


class WrongWeightInitialization(Fault):
    name = "wrong-weight-initialization"
    fix_pattern = FixPattern.INITIALIZATION
    explanation = "The initial weights are too large, too small, or equal in all units."
    advice = "Use the default initialization, or nn.init.kaiming_normal_ for ReLU and nn.init.xavier_uniform_ for tanh."
    keras_advice = "Use the default initializer, or 'he_normal' for ReLU and 'glorot_uniform' for tanh."
    stated_by = ("symmetric-weights", "weight-initialization-scale", "initial-scale", "initial-output-scale")

    def clues(self, case: Case) -> Iterator[Clue]:
        trouble = case.saw(*_TROUBLE)
        yield from seen(case.saw("symmetric-weights"))
        if trouble is not None:
            yield from seen(case.saw("weight-initialization-scale"))
            yield from seen(case.saw("initial-scale"))
            if not case.saw("unnormalised-input", "bias-initialization"):
                yield from seen(case.saw("initial-output-scale"))
        if any(map(_dead_at_first, case.all_seen("dead-units"))) and not case.saw("bias-initialization"):
            words = "units output zero from the first step, before any update"
            yield Clue("dead-from-the-start", words, "dead-units")
        yield from seen(trouble, "trouble")

    def places(self, case: Case) -> Iterator[Location]:
        symptoms = ("weight-initialization-scale", "symmetric-weights", "initial-scale", "dead-units")
        yield from _initializer_places(case, "weight", ("kernel_initializer", "embeddings_initializer"), *symptoms)
        yield from _layer_places(case, *symptoms)


class WrongBiasInitialization(Fault):
    name = "wrong-bias-initialization"
    fix_pattern = FixPattern.INITIALIZATION
    explanation = "Initial biases are far from zero, so units are saturated or inactive from the start."
    advice = (
        "Initialize biases to 0; only the output bias may start at the mean target or at the log-odds of the classes."
    )
    stated_by = ("bias-initialization",)

    def clues(self, case: Case) -> Iterator[Clue]:
        biased = case.saw("bias-initialization")
        yield from seen(biased, "bias-initialization-and-trouble" if case.saw(*_TROUBLE) else "bias-initialization")
        silent = {symptom.layer for symptom in case.all_seen("zero-gradient", "dead-units")}
        if biased is not None and any(symptom.layer in silent for symptom in case.all_seen("bias-initialization")):
            yield Clue("same-layer-silent", "the layer with these biases outputs zero or gets no gradient")
        yield from seen(case.saw("wrong-initial-loss"))
        if case.saw("weight-initialization-scale") is not None:
            yield Clue("weights-off-as-well", "the initial weights are unusual too")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _initializer_places(case, "bias", ("bias_initializer",), "bias-initialization")
        yield from _layer_places(case, "bias-initialization")


class WrongBatchNormalization(Fault):
    name = "wrong-batch-normalization"
    fix_pattern = FixPattern.ADD_LAYER
    explanation = "The running statistics of a batch normalization are wrong, so evaluation differs from training."
    advice = "Use the default momentum and eps, batches of at least 8 samples, and model.eval() in evaluation."
    keras_advice = "Use the default momentum and epsilon, and batches of at least 8 samples."
    stated_by = ("batch-norm-statistics", "batch-norm-tiny-batch")

    def clues(self, case: Case) -> Iterator[Clue]:
        norms = _norms(case)
        yield from seen(case.saw("batch-norm-statistics"))
        yield from seen(case.saw("batch-norm-tiny-batch"))
        if not norms:
            return
        for layer in norms:
            yield from _odd_norm(layer, torch=_is_torch(case))
        gap = case.saw(
            "overfitting", "train-evaluation-gap", "static-validation", "norm-in-training-mode-in-evaluation"
        )
        yield from seen(gap, "gap")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _layer_places(case, "batch-norm-statistics", "batch-norm-tiny-batch")
        for layer in _norms(case):
            odd = any(True for _ in _odd_norm(layer, torch=_is_torch(case)))
            if odd:
                place = case.sources.argument(layer.site, layer.kind, "momentum", "epsilon", "eps")
                yield from at_place(place, 0.95, f"a setting of {layer.name} is given here", layer.name)
            yield from at_site(layer.site, 0.85 if odd else 0.5, f"{layer.name} is created here", layer.name)


def _dead_at_first(symptom: Symptom) -> bool:
    """Whether the units were dead in the first sample; one step that is too long can kill them as well."""
    first, later = symptom.evidence.get("first_share"), symptom.evidence.get("dead_share")
    return isinstance(first, float) and isinstance(later, float) and first >= _LEAST_DEAD_AT_FIRST * later


def _norms(case: Case) -> list[RecordedLayer]:
    return [layer for layer in case.recording.layers.values() if "batchnorm" in layer.kind.lower()]


def _is_torch(case: Case) -> bool:
    return case.recording.started is not None and case.recording.started.framework == "torch"


def _odd_norm(layer: RecordedLayer, *, torch: bool) -> Iterator[Clue]:
    """Settings that no correct batch normalization has; PyTorch's momentum is one minus that of Keras."""
    momentum, epsilon = layer.settings.get("momentum"), layer.settings.get("eps", layer.settings.get("epsilon"))
    if isinstance(momentum, int | float) and not isinstance(momentum, bool):
        share = float(momentum) if torch else 1.0 - float(momentum)
        if share < _LEAST_TAKEN_OVER:
            words = f"momentum {momentum:g} of {layer.name} updates the running statistics by only {share:g} per batch"
            yield Clue("odd-momentum", words)
        elif share > _MOST_TAKEN_OVER:
            yield Clue(
                "odd-momentum", f"momentum {momentum:g} of {layer.name} keeps only the statistics of the last batch"
            )
    if isinstance(epsilon, int | float) and (epsilon > _MOST_EPSILON or epsilon <= 0):
        yield Clue("odd-epsilon", f"the epsilon of {layer.name} is {epsilon:g}")


def _initializer_places(case: Case, word: str, names: tuple[str, ...], *symptoms: str) -> Iterator[Location]:
    """Where parameters are initialized: an argument of a layer, or a call that fills them in place."""
    layers = case.recording.layers
    concerned = [layers[name] for symptom in case.all_seen(*symptoms) if (name := symptom.layer or "") in layers]
    for layer in concerned:
        place = case.sources.argument(layer.site, layer.kind, *names)
        yield from at_place(place, 0.95, f"the initializer of {layer.name} is set here", layer.name)
    paths = [layer.site.path for layer in (concerned or layers.values()) if layer.site is not None]
    for path in dict.fromkeys(paths):
        for place in case.sources.initializers(path, word):
            yield from at_place(place, 0.92, "parameters are initialized here")


def _layer_places(case: Case, *symptoms: str) -> Iterator[Location]:
    layers = case.recording.layers
    for symptom in case.all_seen(*symptoms):
        yield from at_site(symptom.site, 0.9, symptom.name, symptom.layer)
        layer = layers.get(symptom.layer or "")
        if layer is not None:
            yield from at_site(layer.site, 0.8, f"{layer.name} is created here", layer.name)


PLUGINS: tuple[Fault, ...] = (WrongWeightInitialization(), WrongBiasInitialization(), WrongBatchNormalization())
