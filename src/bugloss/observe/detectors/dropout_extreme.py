"""dropout-extreme."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import batches_of
from bugloss.observe.layer_kinds import dropout_rate, has_settled_order, latest_models, layers_in_order
from bugloss.observe.recording import Numbers, RecordedLayer, RecordedModel, Recording
from bugloss.observe.sketch import sketch

_TOO_HIGH, _HIGH = 0.8, 0.6  # rates in use end at 0.5, a few go to 0.6; from 0.8 on a layer passes one value in five
_FIRST = RecordedLayer("0", "Linear", 680, 680)
_LAST = RecordedLayer("2", "Linear", 410, 410)


def _drop(name: str, rate: float) -> RecordedLayer:
    return RecordedLayer(name, "Dropout", settings={"rate": rate})


class DropoutExtreme(Detector):
    """The dropout rate is too high, or dropout is applied to the output.

    ## What it finds
    Rates of 0.8 and above, several layers with rates of 0.6 and above, and dropout on the output itself.

    ## Why it hurts
    Few values remain, so each update trains another, tiny network. On the output layer, predictions are zeroed at
    random, which no training can correct. Often the rate was meant as the fraction to keep.

    ## How it decides
    By the rate of the layers that are in use. Dropout counts as being on the output when it follows the last layer
    with weights, the order of the layers is that of computation, and the outputs do not lack the zeros that it would
    leave.

    ## Known problems
    Dropout that is called as a function is not seen.

    ## References
    ``torch.nn.Dropout`` and ``keras.layers.Dropout`` take the fraction to drop; TensorFlow 1 took the fraction to keep.
    """

    name = "dropout-extreme"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(architecture=(_FIRST, _drop("1", 0.9), _LAST)),
        sketch(architecture=(_FIRST, _drop("1", 0.6), _LAST, _drop("3", 0.7)), model={"kind": "Net"}),
        sketch(
            architecture=(_FIRST, _LAST, _drop("3", 0.3)), model={"kind": "Sequential"},
            batch={"outputs": Numbers((64, 10), "float32", -4.0, 4.0, 0.0, 1.0, 0.31)},
        ),
    )  # fmt: skip
    healthy = (
        sketch(architecture=(_FIRST, _drop("1", 0.5), _LAST)),
        sketch(architecture=(_FIRST, _LAST, _drop("dropout", 0.3))),  # the outputs hold no zeros
        sketch(architecture=(_FIRST, _drop("1", 0.6), _LAST), model={"kind": "Sequential"}),
        sketch(architecture=(_FIRST, RecordedLayer("1", "Dropout", settings={"rate": 0.9}, used=False), _LAST)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        layers = [layer for _, layer in layers_in_order(recording) if layer.used]
        found = [(layer, rate) for layer in layers if (rate := dropout_rate(layer))]
        several = sum(rate >= _HIGH for _, rate in found) > 1
        framework = recording.started.framework if recording.started else ""
        last = {id(_on_output(model)) for model in latest_models(recording) if has_settled_order(model, framework)}
        torch = framework == "torch"  # the Keras probe looks at outputs in evaluation mode
        for layer, rate in found:
            if rate >= _TOO_HIGH:
                yield self._describe(layer, rate, f"drops {rate:.0%} of its input", Severity.WARNING)
            elif id(layer) in last and (not torch or _leaves_zeros(recording, rate)):
                yield self._describe(layer, rate, f"drops {rate:.0%} of the model's outputs", Severity.WARNING)
            elif several and rate >= _HIGH:
                yield self._describe(
                    layer,
                    rate,
                    f"is one of several dropout layers with a rate of {_HIGH:.0%} or more",
                    Severity.ADVICE,
                )

    def _describe(self, layer: RecordedLayer, rate: float, text: str, severity: Severity) -> Symptom:
        return self.symptom(
            f"{layer.kind} {layer.name} {text}.",
            step=0,
            layer=layer.name,
            site=layer.site,
            severity=severity,
            rate=rate,
        )


def _on_output(model: RecordedModel) -> RecordedLayer | None:
    """A dropout layer after the last layer with weights."""
    for layer in reversed([layer for layer in model.layers if layer.used]):
        if layer.parameters:
            return None
        if dropout_rate(layer):
            return layer
    return None


def _leaves_zeros(recording: Recording, rate: float) -> bool:
    """Whether the outputs hold the zeros that dropout leaves, or are not known."""
    shares = [batch.outputs.zero_share for batch in batches_of(recording, "train") if batch.outputs is not None]
    return not shares or max(shares) >= rate / 2
