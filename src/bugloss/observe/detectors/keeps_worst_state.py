"""keeps-worst-state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import is_number
from bugloss.observe.recording import Epoch, Occasion, Recording
from bugloss.observe.sketch import sketch

_LEAST_KEPT = 2  # states after the first: the first is kept whatever it is
_LEAST_SKIPPED = 2  # better epochs that were not kept: one may be within a tolerance of the program's
_LEAST_SKIPPED_ALONE = 4  # where only the first state was kept: a run that improves so often has a better one
_MEASURES = (("validation_loss", 1.0), ("validation_accuracy", -1.0))


@dataclass(frozen=True, slots=True)
class _Judged:
    """States that were kept after an epoch, by one measure of the epochs."""

    first: bool  # the first epoch's was kept
    worse: int  # kept at a new worst
    better: int  # kept at a new best
    other: int  # kept in between
    skipped: int  # new bests that were not kept


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
    warning. So it is where only the first state was kept and four new lows were passed over. Where both loss and
    accuracy are known, both must say so.

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
        sketch(validation=_FALLING, occasions=_kept(0)),
    )
    healthy = (
        sketch(validation=_FALLING, occasions=_kept(0, 1, 3, 5, 7, 9)),
        sketch(validation=_FALLING, occasions=_kept(*range(10))),
        sketch(validation=_FALLING, occasions=_kept(0), validation_accuracies=[1.0]),
        sketch(validation=_FALLING, occasions=_kept(4)),
        sketch(validation=_FALLING),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        occasion = next((item for item in recording.occasions if item.kind == "states-kept"), None)
        steps = occasion.facts.get("steps") if occasion is not None else None
        if occasion is None or not isinstance(steps, list | tuple):
            return
        measures = [(name, _judged(_values(recording, name, sign), steps)) for name, sign in _MEASURES]
        known = [measure for measure in measures if measure[1] is not None]
        needed = [_LEAST_SKIPPED_ALONE] + [_LEAST_SKIPPED] * len(known)
        if not known or not all(_keeps_worst(one, least) for (_, one), least in zip(known, needed, strict=False)):
            return
        name, judged = known[0]
        if judged is not None:
            yield self.symptom(
                f"Weights were kept {judged.worse + judged.first} times, when the {name.replace('_', ' ')} was new or "
                f"worse than ever, and never in {judged.skipped} epochs in which it was best.",
                step=occasion.step,
                site=occasion.site,
                kept_when_worst=judged.worse,
                best_not_kept=judged.skipped,
            )


def _values(recording: Recording, name: str, sign: float) -> list[tuple[Epoch, float]]:
    """The epochs with this measure, and the measure such that less is better."""
    return [(item, sign * getattr(item, name)) for item in recording.epochs if is_number(getattr(item, name))]


def _judged(known: Sequence[tuple[Epoch, float]], steps: Sequence[object]) -> _Judged | None:
    """Counts states by what the measure was when they were kept; None without the measure."""
    if len(known) < 2:
        return None
    worse = better = skipped = other = 0
    for place, (epoch, value) in enumerate(known[1:], start=1):
        before = [earlier for _, earlier in known[:place]]
        is_kept = _was_kept(epoch, steps)
        worse += is_kept and value > max(before)
        better += is_kept and value < min(before)
        other += is_kept and min(before) <= value <= max(before)
        skipped += not is_kept and value < min(before)
    return _Judged(_was_kept(known[0][0], steps), worse, better, other, skipped)


def _was_kept(epoch: Epoch, steps: Sequence[object]) -> bool:
    return epoch.step + 1 in steps or epoch.step in steps


def _keeps_worst(judged: _Judged | None, least_alone: int) -> bool:
    if judged is None or judged.better:
        return False
    if judged.worse >= _LEAST_KEPT:
        return judged.skipped >= _LEAST_SKIPPED
    return judged.first and not judged.other and judged.skipped >= least_alone
