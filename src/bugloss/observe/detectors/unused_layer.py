"""unused-layer."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import is_convolution, is_dense, is_dropout, is_norm, is_recurrent, layers_in_order
from bugloss.observe.recording import RecordedLayer, RecordedModel, Recording
from bugloss.observe.sketch import sketch

_FIRST = RecordedLayer("fc1", "Linear", 680, 680)
_IDLE = RecordedLayer("fc3", "Linear", 410, 410, used=False)
_DROP = RecordedLayer("drop", "Dropout", settings={"rate": 0.5}, used=False)


class UnusedLayer(Detector):
    """A layer of the model is never called.

    ## What it finds
    Layers with parameters, and dropout or norm layers, that were declared and never called.

    ## Why it hurts
    The network is not the intended one: a layer is skipped, or another one is called in its place.

    ## How it decides
    The layer was never called, and none of its parameters received a gradient on any sampled step although other
    layers did; so weights that are used without calling their layer count as used. Dropout and norm layers that
    were never called are advice.

    ## Known problems
    Heads that are only used for prediction, or later in training, look unused in a short run.

    ## References
    astral-sh/ruff#12349 and pytorch/pytorch#113403 (request such a check); torchtest2.
    """

    name = "unused-layer"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(architecture=(_FIRST, _IDLE), layers={"fc3": {"gradient_rms": None, "changed": False}}),
        sketch(architecture=(_FIRST, _DROP)),
    )
    healthy = (
        sketch(),
        sketch(architecture=(_FIRST, _IDLE)),  # called through F.linear: gradients arrive
        sketch(architecture=(_FIRST, RecordedLayer("act", "ReLU", used=False))),
        sketch([], architecture=(_FIRST, _IDLE), layers={"fc3": {"gradient_rms": None}}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        if not recording.steps:
            return
        reached = _reached(recording)
        for model, layer in layers_in_order(recording):
            severity = _severity(model, layer, reached)
            if severity is None or layer.used:
                continue
            yield self.symptom(
                f"{layer.name} ({layer.kind}) is part of {model.kind}, but is not called in any forward pass.",
                step=model.step,
                layer=layer.name,
                site=layer.site,
                severity=severity,
                parameters=layer.parameters,
            )


def _reached(recording: Recording) -> set[tuple[str, str]]:
    """Models and layers that got a gradient in some sampled step."""
    return {
        (sample.model, name)
        for sample in recording.samples
        for name, numbers in sample.layers.items()
        if numbers.gradient_rms is not None
    }


def _severity(model: RecordedModel, layer: RecordedLayer, reached: set[tuple[str, str]]) -> Severity | None:
    if is_dropout(layer) or (is_norm(layer) and not layer.trainable):
        return Severity.ADVICE
    weighty = layer.parameters > 0 or is_dense(layer) or is_convolution(layer) or is_recurrent(layer)
    others = any(name == model.model for name, _ in reached)
    if not weighty or not others or (model.model, layer.name) in reached:
        return None
    return Severity.WARNING if layer.trainable or not layer.parameters else Severity.ADVICE
