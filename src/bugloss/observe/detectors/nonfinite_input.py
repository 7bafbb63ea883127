"""nonfinite-input."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.inputs import inputs_of
from bugloss.observe.recording import NonFinite, Numbers, Recording
from bugloss.observe.sketch import sketch

_GAPS = Numbers((64, 16), "float32", -3.0, 3.0, 0.0, 1.0, 0.0, 12)
_MASK = Numbers((20, 20), "float32", -math.inf, 0.0, 0.0, 0.0, 0.5, 190)


class NonfiniteInput(Detector):
    """Inputs or targets contain NaN or infinity.

    ## What it finds
    NaN or infinite values in training inputs, targets or sample weights.

    ## Why it hurts
    One NaN makes every gradient of its batch NaN, and with it all weights. The run does not recover.

    ## How it decides
    The probe counts such values. It is an error when the loss became NaN or infinite as well, and advice where the run
    is not affected: attention masks contain minus infinity, and some models mask gaps.

    ## Known problems
    Batches that were not inspected may contain them too; the first bad operation then names the input.

    ## References
    UMLAUT (2021); ``keras.callbacks.TerminateOnNaN``; ``torch.autograd.detect_anomaly``.
    """

    name = "nonfinite-input"
    severity = Severity.ERROR
    category = Category.TRAINING
    faulty = (
        sketch([2.3, math.nan, math.nan], batch={"inputs": (_GAPS,)}),
        sketch([2.3, 2.2, math.nan], nonfinite=(NonFinite(2, "input"),)),
        sketch(batch={"inputs": (_GAPS,)}),
    )
    healthy = (
        sketch(),
        sketch(batch={"inputs": (Numbers((64, 16), "float32", -3.0, 3.0, 0.0, 1.0), _MASK)}),
        sketch([2.3, math.nan]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        broken = any(not math.isfinite(loss) for loss in recording.loss_values)
        event = next((item for item in recording.nonfinite if item.direction == "input"), None)
        found = _found(recording)
        if event is not None:
            yield self._describe("An input contains NaN or infinity", event.step, broken, site=event.site)
        elif found is not None:
            what, step, count = found
            yield self._describe(f"{what} contains {count} values that are NaN or infinite", step, broken, count=count)

    def _describe(self, text: str, step: int, broken: bool, **facts: object) -> Symptom:
        return self.symptom(
            f"{text} at step {step}{', and the loss is NaN or infinite too.' if broken else '.'}",
            step=step,
            severity=Severity.ERROR if broken else Severity.ADVICE,
            loss_broken=broken,
            **facts,  # type: ignore[arg-type]
        )


def _found(recording: Recording) -> tuple[str, int, int] | None:
    """What contains NaN or infinite values, at which step, and how many."""
    for item in inputs_of(recording, "train"):
        if item.numbers.nonfinite and not _is_mask(item.numbers):
            return "An input", item.step, item.numbers.nonfinite
    for batch in recording.batches:
        for what, numbers in (("Targets", batch.target), ("Sample weights", batch.weights)):
            if numbers is not None and numbers.nonfinite:
                return what, batch.step, numbers.nonfinite
    targets = [(data, data.target) for data in recording.data if data.phase == "train" and data.target is not None]
    return next((("Targets", 0, target.nonfinite) for _, target in targets if target.nonfinite), None)


def _is_mask(numbers: Numbers) -> bool:
    """Nothing but zero and minus infinity: an attention mask."""
    finite = numbers.maximum in (0.0, -math.inf)
    return finite and numbers.minimum in (0.0, -math.inf)
