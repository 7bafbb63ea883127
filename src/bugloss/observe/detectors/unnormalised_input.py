"""unnormalised-input."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.inputs import Input, brings_to_scale, first_inputs
from bugloss.observe.recording import InputFeatures, Numbers, RecordedLayer, Recording
from bugloss.observe.sketch import falling, sketch
from bugloss.observe.underperformance import training_underperforms

# Raw bytes, prices or years; networks are initialised for a deviation of one.
_RAW_LARGEST, _RAW_DEVIATION = 100.0, 20.0
_LARGE_DEVIATION = 5.0  # five times what networks are initialised for, which most of them still survive
_OFF_CENTRE = 5.0  # deviations: the mean outweighs everything that tells samples apart
_SPREAD = 100.0  # times between the scales of two features: the smaller one is not seen
_SPARSE = 0.5  # of the values are zero: counts and one-hot features, which are rarely scaled
_PIXELS = Numbers((64, 784), "float32", 0.0, 255.0, 33.0, 78.0, 0.4)
_WORD_COUNTS = Numbers((64, 500), "float32", 0.0, 9.0, 0.1, 0.5, 0.9)
_COLUMNS = Numbers((64, 16), "float32", -3.0, 4800.0, 410.0, 900.0)


class UnnormalisedInput(Detector):
    """Inputs are not normalized.

    ## What it finds
    Raw values such as pixels from 0 to 255 or columns in the thousands, inputs far from zero, and columns whose scales
    differ a hundredfold.

    ## Why it hurts
    The first layer's outputs and gradients are as large as the inputs: losses start very high, units die or saturate,
    and no learning rate fits all columns.

    ## How it decides
    By the numbers of the first training batch or of all samples. It is a warning when the values are raw and the run
    shows it: the model does not learn, or its first loss is three times the chance level and hardly improves. Otherwise
    it is advice. Models that begin with a normalization or rescaling layer are left out, and so are token ids.

    ## Known problems
    Scales inside an input that the model splits up itself are not separated.

    ## References
    UMLAUT (2021), input range; TheDeepChecker (2023), feature scaling; LeCun et al., "Efficient BackProp" (1998).
    """

    name = "unnormalised-input"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch([2.3] * 100, batch={"inputs": (_PIXELS,)}),
        sketch(falling(60.0, 1.9), batch={"inputs": (_PIXELS,)}),
        sketch(batch={"inputs": (_COLUMNS,), "features": (InputFeatures(scale_spread=4000.0),)}),
    )
    healthy = (
        sketch(),
        sketch(batch={"inputs": (Numbers((64, 784), "float32", 0.0, 1.0, 0.13, 0.31, 0.8),)}),
        sketch(batch={"inputs": (Numbers((64, 20), "int64", 0.0, 9999.0, 700.0, 1500.0),)}),
        sketch(
            batch={"inputs": (_PIXELS,)},
            architecture=(RecordedLayer("scale", "Rescaling"), RecordedLayer("fc", "Dense", 99, 99)),
        ),
        sketch(batch={"inputs": (_WORD_COUNTS,), "features": (InputFeatures(scale_spread=300.0),)}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        if brings_to_scale(recording):
            return
        for item in first_inputs(recording):
            raw = item.largest >= _RAW_LARGEST and item.numbers.std >= _RAW_DEVIATION
            text = _find_problem(item, raw)
            if text is None:
                continue
            yield self.symptom(
                text,
                step=item.step,
                site=item.site,
                severity=Severity.WARNING if raw and training_underperforms(recording) else Severity.ADVICE,
                least=item.numbers.minimum,
                largest=item.numbers.maximum,
                mean=item.numbers.mean,
                deviation=item.numbers.std,
                scale_spread=item.features.scale_spread if item.features is not None else None,
            )
            return


def _find_problem(item: Input, raw: bool) -> str | None:
    numbers = item.numbers
    if raw or numbers.std >= _LARGE_DEVIATION:
        return (
            f"The inputs range from {numbers.minimum:.4g} to {numbers.maximum:.4g} (standard deviation "
            f"{numbers.std:.3g})."
        )
    if numbers.std > 0 and abs(numbers.mean) >= _OFF_CENTRE * numbers.std and abs(numbers.mean) > 1:
        return f"The inputs have mean {numbers.mean:.3g} and a standard deviation of only {numbers.std:.3g}."
    spread = item.features.scale_spread if item.features is not None else 1.0
    if len(numbers.shape) == 2 and numbers.zero_share < _SPARSE and spread >= _SPREAD:
        return f"The scales of the input columns differ by a factor of {spread:.0f}."
    return None
