"""twice-normalised-input."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.inputs import Input, brings_to_scale, first_inputs
from bugloss.observe.recording import Numbers, RecordedLayer, Recording
from bugloss.observe.sketch import sketch

_PIXEL = 1 / 255  # the step between two grey values after one division
_TINY_DEVIATION = 0.01  # a hundredth of what networks are initialised for
_SLACK = 1.02  # for rounding, and for pixels scaled by 256
_LEAST_RANGE = 0.5  # of the range that two divisions leave: images use at least half of it
_FOR_PIXELS = 1 / 100  # of a layer that brings pixels to 0 … 1; 1/127.5 has an offset
_SCALED = 1.5  # largest value of inputs that were brought to 0 … 1 before; the smallest pixels of an image are larger
_FIRST_LAYERS = 8  # augmentation may come before it; later it scales features, not pixels
_ROUNDING = 1e-6  # single precision around one
_SMALL = Numbers((64, 784), "float32", 0.0, 0.00392, 0.0005, 0.0012, 0.8)
_RESCALING = RecordedLayer("rescaling", "Rescaling", settings={"scale": 1 / 255})
_AT_THE_EDGE = Numbers((64, 3, 8, 8), "float32", -1.0, -0.9922, -0.997, 0.002)


class TwiceNormalisedInput(Detector):
    """Inputs are scaled down twice, so that their variation is almost zero.

    ## What it finds
    Pixels divided by 255 twice, pixels between 0 and 1 that were shifted and divided as if they reached 255, and inputs
    with a standard deviation near zero in general.

    ## Why it hurts
    All samples look almost the same to the network, and learning is very slow.

    ## How it decides
    Values between 0 and 1/255, or between -1 and -1 + 2/255, come from scaling pixels twice: a warning. Other inputs
    with a deviation below 0.01 are advice.
    Values up to 1 that go into a Rescaling layer for pixels are a warning.
    Models that begin with a normalization layer rescale them: also advice.

    ## Known problems
    Naturally tiny quantities, such as probabilities of rare events, look the same; they need scaling too.

    ## References
    TheDeepChecker (2023), checks of scaling; ``torchvision.transforms.ToTensor`` already divides by 255.
    """

    name = "twice-normalised-input"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(batch={"inputs": (_SMALL,)}),
        sketch(batch={"inputs": (_AT_THE_EDGE,)}),
        sketch(architecture=(_RESCALING,), batch={"inputs": (Numbers((64, 9), "float32", 0.0, 1.0, 0.3, 0.3),)}),
        sketch(batch={"inputs": (Numbers((64, 16), "float32", -0.02, 0.02, 0.0, 0.005),)}),
    )
    healthy = (
        sketch(),
        sketch(batch={"inputs": (Numbers((64, 784), "float32", 0.0, 1.0, 0.13, 0.31, 0.8),)}),
        sketch(architecture=(_RESCALING,), batch={"inputs": (Numbers((64, 9), "float32", 0.0, 255.0, 80.0, 70.0),)}),
        sketch(batch={"inputs": (Numbers((64, 3, 8, 8), "float32", -1.0, 1.0, -0.2, 0.5),)}),
        sketch(batch={"inputs": (Numbers((64, 16), "float32", 0.0, 0.0, 0.0, 0.0, 1.0),)}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        layer = _rescaling(recording)
        if layer is not None:
            for item in first_inputs(recording):
                numbers = item.numbers
                if item.is_real and numbers.std > 0 and numbers.minimum >= 0 and numbers.maximum <= _SCALED:
                    yield self.symptom(
                        f"The inputs are between {numbers.minimum:.3g} and {numbers.maximum:.3g} before layer "
                        f"{layer.name} multiplies them by {layer.settings['scale']:.3g}: they are scaled twice.",
                        step=item.step,
                        layer=layer.name,
                        site=layer.site,
                        least=item.numbers.minimum,
                        largest=item.numbers.maximum,
                    )
                    return
        rescued = brings_to_scale(recording)
        for item in first_inputs(recording):
            twice = _is_twice_scaled(item)
            if item.numbers.std <= 0 or not (twice or item.numbers.std < _TINY_DEVIATION):
                continue
            yield self.symptom(
                f"The inputs are between {item.numbers.minimum:.4g} and {item.numbers.maximum:.4g}, with a "
                f"standard deviation of {item.numbers.std:.2g}"
                + ((", as if pixels had been scaled twice.") if twice else "."),
                step=item.step,
                site=item.site,
                severity=Severity.WARNING if twice and not rescued else Severity.ADVICE,
                least=item.numbers.minimum,
                largest=item.numbers.maximum,
                deviation=item.numbers.std,
            )
            return


def _rescaling(recording: Recording) -> RecordedLayer | None:
    """A layer at the beginning of the model that is made for pixels up to 255."""
    layers = list(recording.layers.values())[:_FIRST_LAYERS]
    for layer in layers:
        scale, offset = layer.settings.get("scale"), layer.settings.get("offset", 0)
        if layer.kind == "Rescaling" and isinstance(scale, float) and 0 < scale <= _FOR_PIXELS and not offset:
            return layer
    return None


def _is_twice_scaled(item: Input) -> bool:
    low, high = item.numbers.minimum, item.numbers.maximum
    divided = low >= 0 and _LEAST_RANGE * _PIXEL <= high <= _SLACK * _PIXEL
    shifted = low >= -1 - _ROUNDING and high <= -1 + 2 * _SLACK * _PIXEL and high - low > _LEAST_RANGE * _PIXEL
    return divided or shifted
