"""Faults that show in the gap between training and validation: dropout, penalties, amount of data."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bugloss.core.diagnosis import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import HIGH_DROPOUT, LEAST_DECAY, LOW_DROPOUT, Case
from bugloss.observe.fault import Clue, Fault, at_place, at_site, seen
from bugloss.observe.recording import RecordedLayer

_GAP = ("overfitting", "long-past-best", "static-validation")
_CRAWL = (
    "slow-learning",
    "training-above-validation",
    "underfitting",
    "loss-flat",
    "loss-oscillating",
    "static-validation",
    "still-improving",
    "constant-output",
)
_VERY_HIGH = 0.8  # one input in five is left: rather the share to keep, given as the share to drop
_ENOUGH_SAMPLES = 5000  # as many as small public data sets have on which usual models do not overfit at once


class DropoutRateTooHigh(Fault):
    name = "dropout-rate-too-high"
    fix_pattern = FixPattern.REGULARIZATION
    explanation = "Dropout throws away so much that little is left to learn from."
    advice = "Use a rate between 0.1 and 0.5; in PyTorch and Keras it is the share that is dropped, not the one kept."

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("dropout-extreme"))
        high = [(layer, rate) for layer, rate in case.dropouts() if rate >= HIGH_DROPOUT]
        if not high:
            if not any(True for _ in case.dropouts()):
                yield Clue("no-dropout", "there is no dropout layer")
            return
        layer, rate = max(high, key=lambda pair: pair[1])
        symptom = case.saw(*_CRAWL, *_GAP)
        if symptom is not None:
            yield Clue(
                "very-high-rate" if rate >= _VERY_HIGH else "high-rate", f"{layer.name} drops {rate:.0%} of its input"
            )
            yield Clue("crawling-or-gap", symptom.message, symptom.name)

    def places(self, case: Case) -> Iterator[Location]:
        yield from _dropout_places(case, lambda rate: rate >= HIGH_DROPOUT)


class DropoutRateTooLow(Fault):
    name = "dropout-rate-too-low"
    fix_pattern = FixPattern.REGULARIZATION
    explanation = "There is dropout, but its rate is so low that it does nothing against overfitting."
    advice = "Use a rate between 0.2 and 0.5 where the model overfits."

    def clues(self, case: Case) -> Iterator[Clue]:
        low = [(layer, rate) for layer, rate in case.dropouts() if rate <= LOW_DROPOUT]
        symptom = case.alarm(*_GAP)
        if not low or symptom is None:
            return
        layer, rate = min(low, key=lambda pair: pair[1])
        yield Clue("low-rate", f"{layer.name} drops only {rate:.0%} of its input")
        yield Clue("gap", symptom.message, symptom.name)

    def places(self, case: Case) -> Iterator[Location]:
        yield from _dropout_places(case, lambda rate: rate <= LOW_DROPOUT)


class DropoutMisused(Fault):
    name = "dropout-misused"
    fix_pattern = FixPattern.REGULARIZATION
    explanation = "Dropout is active where it must not be, or stands where it destroys the answer."
    advice = (
        "Drop hidden values only, in training only: nn.Dropout with eval(), or F.dropout(x, p, training=self.training)."
    )

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("dropout-active-in-evaluation"))
        yield from seen(case.saw("nondeterministic-evaluation"))
        last = _after_output(case)
        if last is not None:
            yield Clue("dropout-after-output", f"{last.name} drops values of the output itself")

    def places(self, case: Case) -> Iterator[Location]:
        last = _after_output(case)
        if last is not None:
            yield from at_site(last.site, 0.9, f"{last.name} is made here", last.name)
        yield from _dropout_places(case, lambda rate: rate > 0)


class TooLittleData(Fault):
    name = "too-little-training-data"
    fix_pattern = FixPattern.DATA_WRANGLING
    explanation = "The model sees so few samples that it learns them by heart."
    advice = "See whether a slice or split lets too little through; use all data, augment, or take a smaller model."

    def clues(self, case: Case) -> Iterator[Clue]:
        gap = case.alarm(*_GAP)
        yield from seen(case.saw("tiny-data"), "tiny-data-and-gap" if gap else "tiny-data")
        yield from seen(gap, "gap")
        training, validation = case.data("train"), case.data("validation")
        if training and validation and training.samples and validation.samples and gap:
            if training.samples <= validation.samples:
                words = f"{training.samples} samples to train on, {validation.samples} to validate with"
                yield Clue("less-than-validation", words)
            elif training.samples >= _ENOUGH_SAMPLES:
                yield Clue("enough-data", f"there are {training.samples} training samples")

    def places(self, case: Case) -> Iterator[Location]:
        training = case.data("train")
        if training is not None:
            yield from at_site(training.site, 0.8, "the training data come in here")


class MissingRegularization(Fault):
    name = "missing-regularization"
    fix_pattern = FixPattern.REGULARIZATION
    explanation = "Nothing keeps the model from learning its training data by heart."
    advice = "Add weight decay (1e-4 to 1e-2) or dropout, augment the data, or stop early."

    def clues(self, case: Case) -> Iterator[Clue]:
        gap = case.alarm("overfitting", "long-past-best")
        if gap is None:
            return
        yield Clue("gap", gap.message, gap.name)
        if not case.penalised and not any(rate > LOW_DROPOUT for _, rate in case.dropouts()):
            dropped = "hardly anything" if list(case.dropouts()) else "nothing"
            yield Clue("nothing-regularizes", f"weights are not penalised and {dropped} is dropped")
        else:
            yield Clue("regularizer-present", "there is a regularizer")
        if _spelled_zero(case):
            yield Clue("penalty-of-zero", "a penalty is written down and set to (almost) nothing")
        elif _on_biases_alone(case):
            yield Clue("penalty-on-biases", "only biases are penalised, which restrains nothing")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _penalty_places(case)
        for layer in case.recording.layers.values():
            if layer.parameters:
                yield from at_site(layer.site, 0.3, f"{layer.name} is made here", layer.name)


class RegularizationTooStrong(Fault):
    name = "regularization-too-strong"
    fix_pattern = FixPattern.REGULARIZATION
    explanation = "The penalty on the weights outweighs what the data say."
    advice = "Lower weight decay or the regularizer's factor tenfold."

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("regularization-dominates"))
        yield from seen(case.saw("weight-decay-too-strong"))
        yield from seen(case.saw("collapsed-weights"))
        yield from seen(case.saw("underfitting", "loss-flat", "constant-output"), "not-learning")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _penalty_places(case)


def _dropout_places(case: Case, chosen: Callable[[float], bool]) -> Iterator[Location]:
    for layer, rate in case.dropouts():
        score = 0.9 if chosen(rate) else 0.3
        place = case.sources.argument(layer.site, layer.kind, "p", "rate", position=0)
        yield from at_place(place, score, f"the rate of {layer.name}", layer.name)
        yield from at_site(layer.site, score - 0.05, f"{layer.name} is made here", layer.name)


def _penalty_places(case: Case) -> Iterator[Location]:
    if case.optimizer is not None:
        place = case.sources.argument(case.optimizer.site, "", "weight_decay")
        yield from at_place(place, 0.9, "weight decay is given here")
        yield from at_site(case.optimizer.site, 0.6, "the optimizer is made here")
    for layer in case.recording.layers.values():
        if any("regularizer" in name and value not in (None, "", "None") for name, value in layer.settings.items()):
            yield from at_site(layer.site, 0.85, f"{layer.name} has a regularizer", layer.name)


def _spelled_zero(case: Case) -> bool:
    """Whether the program sets a penalty and sets it to nothing."""
    optimizer = case.optimizer
    place = case.sources.argument(optimizer.site, "", "weight_decay") if optimizer else None
    if place is not None and isinstance(place.literal, int | float) and abs(float(place.literal)) < LEAST_DECAY:
        return True
    return any(
        "regularizer" in name
        and ("(0.0)" in str(value) or "(0)" in str(value) or "e-0" in str(value) or "e-1" in str(value))
        for layer in case.recording.layers.values()
        for name, value in layer.settings.items()
    )


def _on_biases_alone(case: Case) -> bool:
    penalties = [
        name
        for layer in case.recording.layers.values()
        for name, value in layer.settings.items()
        if "regularizer" in name and value not in (None, "", "None")
    ]
    return bool(penalties) and all("bias" in name for name in penalties)


def _after_output(case: Case) -> RecordedLayer | None:
    """A dropout layer that nothing with weights follows."""
    layers = [layer for layer in case.recording.layers.values() if layer.used]
    last = next((layer for layer in reversed(layers) if layer.parameters or "dropout" in layer.kind.lower()), None)
    return last if last is not None and "dropout" in last.kind.lower() and last.settings.get("rate") else None


PLUGINS: tuple[Fault, ...] = (
    DropoutRateTooHigh(),
    DropoutRateTooLow(),
    DropoutMisused(),
    TooLittleData(),
    MissingRegularization(),
    RegularizationTooStrong(),
)
