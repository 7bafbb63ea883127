"""keeps-worst-state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import is_number
from bugloss.observe.recording import Epoch, Occasion, Recording
from bugloss.observe.sketch import sketch

_LEAST_KEPT = 2  # states after the first: the first is kept whatever it is
_LEAST_SKIPPED = 2  # better epochs that were not kept: one may be within a tolerance of the program's


def _kept(*epochs: int) -> tuple[Occasion, ...]:
    return (Occasion("states-kept", 99, facts={"steps": [10 * epoch + 10 for epoch in epochs]}),)


_FALLING = [0.9, 0.7, 0.95, 0.6, 1.0, 0.5, 1.05, 0.4, 1.1, 0.3]


class KeepsWorstState(Detector):
    """The state that is kept as the best is that of the worst epoch.

    ## What it finds
    Programs that keep the weights of some epochs only, always when validation was worse than ever before.

    ## Why it hurts
    What is loaded or shipped in the end is the worst model of the run. Mostly a comparison is the wrong way round, or
    an accuracy is compared as if it were a loss.

    ## How it decides
    States are counted that were taken right after an epoch. If, after the first, at least two were taken at new highs
    of the validation loss (or new lows of the accuracy), none at a new low, and two new lows were passed over: a
    warning.

    ## Known problems
    Programs that keep every state are left alone, since nothing was chosen.

    ## References
    ``mode`` of ``keras.callbacks.ModelCheckpoint``.
    """

    name = "keeps-worst-state"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(validation=_FALLING, occasions=_kept(0, 2, 4, 6, 8)),
        sketch(validation=_FALLING, occasions=_kept(2, 4, 6)),
    )
    healthy = (
        sketch(validation=_FALLING, occasions=_kept(0, 1, 3, 5, 7, 9)),
        sketch(validation=_FALLING, occasions=_kept(*range(10))),
        sketch(validation=_FALLING, occasions=_kept(0)),
        sketch(validation=_FALLING),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        occasion = next((item for item in recording.occasions if item.kind == "states-kept"), None)
        steps = occasion.facts.get("steps") if occasion is not None else None
        if occasion is None or not isinstance(steps, list | tuple):
            return
        for name, sign in (("validation_loss", 1.0), ("validation_accuracy", -1.0)):
            known = [(item, sign * getattr(item, name)) for item in recording.epochs if is_number(getattr(item, name))]
            worse, better, skipped = _judged(known, steps)
            if worse >= _LEAST_KEPT and not better and skipped >= _LEAST_SKIPPED:
                yield self.symptom(
                    f"Weights were kept {worse} times when the {name.replace('_', ' ')} was worse than ever, and never "
                    f"in {skipped} epochs in which it was best.",
                    step=occasion.step,
                    site=occasion.site,
                    kept_when_worst=worse,
                    best_not_kept=skipped,
                )
                return


def _judged(known: Sequence[tuple[Epoch, float]], steps: Sequence[object]) -> tuple[int, int, int]:
    """After the first: states kept at a new worst, at a new best, and new bests that were not kept."""
    worse = better = skipped = 0
    for place, (epoch, value) in enumerate(known[1:], start=1):
        before = [other for _, other in known[:place]]
        is_kept = epoch.step + 1 in steps or epoch.step in steps
        worse += is_kept and value > max(before)
        better += is_kept and value < min(before)
        skipped += not is_kept and value < min(before)
    return worse, better, skipped
