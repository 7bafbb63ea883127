"""layer-made-in-forward."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.layer_kinds import dropout_rate, is_dropout, layers_in_order
from bugloss.observe.recording import RecordedLayer, Recording
from bugloss.observe.sketch import sketch

_FIRST = RecordedLayer("fc1", "Linear", 680, 680)
_CREATED = RecordedLayer("Linear@12", "Linear", 410, 410, in_forward=True)
_STILL = {"Linear@12": {"changed": False}}


class LayerMadeInForward(Detector):
    """A layer is created in every forward pass.

    ## What it finds
    Layers with parameters that are constructed inside the forward pass, and dropout layers made there.

    ## Why it hurts
    Such a layer has new random weights in each pass, which no optimizer ever sees. A dropout layer made in the
    forward pass is always in training mode, also in evaluation.

    ## How it decides
    The probe sees layers that are created during a forward pass. A layer with parameters is an error unless a sampled
    step saw its weights change, which means that it was made once and then kept. Dropout is a warning; layers without
    parameters or modes are harmless and left alone.

    ## Known problems
    None known.

    ## References
    ``torch.nn.Module``: layers belong in ``__init__``; in Keras also in ``keras.layers.Layer.build``.
    """

    name = "layer-made-in-forward"
    severity = Severity.ERROR
    category = Category.MODEL
    faulty = (
        sketch(architecture=(_FIRST, _CREATED), layers=_STILL),
        sketch(architecture=(_FIRST, RecordedLayer("Dropout@14", "Dropout", settings={"rate": 0.5}, in_forward=True))),
    )
    healthy = (
        sketch(),
        sketch(architecture=(_FIRST, _CREATED)),
        sketch(architecture=(_FIRST, RecordedLayer("ReLU@13", "ReLU", in_forward=True))),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        kept = {
            (sample.model, name)
            for sample in recording.samples
            for name, numbers in sample.layers.items()
            if numbers.changed
        }
        for model, layer in layers_in_order(recording):
            if not layer.in_forward or (model.model, layer.name) in kept:
                continue
            if layer.parameters or (is_dropout(layer) and dropout_rate(layer) != 0):
                yield self._describe(layer, model.step)

    def _describe(self, layer: RecordedLayer, step: int) -> Symptom:
        random = f"its {layer.parameters} parameters are new and random each time and never trained"
        harm = random if layer.parameters else "it is always in training mode and drops values in evaluation too"
        return self.symptom(
            f"{layer.kind} is created in every forward pass: {harm}.",
            step=step,
            layer=layer.name,
            site=layer.site,
            severity=Severity.ERROR if layer.parameters else Severity.WARNING,
            parameters=layer.parameters,
        )
