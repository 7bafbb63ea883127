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
    explanation = "The dropout rate is so high that too little is left to learn from."
    advice = "Use a rate between 0.1 and 0.5: it is the fraction to drop, not the fraction to keep."

    def explain(self, case: Case) -> str:
        layer, rate = max(case.dropouts(), key=lambda pair: pair[1], default=(None, 0.0))
        if layer is None or rate < HIGH_DROPOUT:
            return self.explanation
        return f"{layer.kind} {layer.name} drops {rate:.0%} of its input, so too little is left to learn from."

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
    explanation = "The dropout rate is too low to prevent overfitting."
    advice = "Use a rate between 0.2 and 0.5 while the model overfits."

    def explain(self, case: Case) -> str:
        layer, rate = min(case.dropouts(), key=lambda pair: pair[1], default=(None, 1.0))
        if layer is None or rate > LOW_DROPOUT:
            return self.explanation
        return f"{layer.kind} {layer.name} drops only {rate:.0%} of its input, too little to prevent overfitting."

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
    explanation = "Dropout is active in evaluation, or is applied to the output of the model."
    advice = (
        "Apply dropout to hidden layers and in training only: nn.Dropout with model.eval(), or "
        "F.dropout(x, p, training=self.training)."
    )
    keras_advice = "Apply dropout to hidden layers only, and call the model with training=False in evaluation."

    def explain(self, case: Case) -> str:
        last = _after_output(case)
        return f"{last.kind} {last.name} drops outputs of the model." if last is not None else super().explain(case)

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("dropout-active-in-evaluation"))
        yield from seen(case.saw("nondeterministic-evaluation"))
        last = _after_output(case)
        if last is not None:
            yield Clue("dropout-after-output", f"{last.name} drops outputs of the model")

    def places(self, case: Case) -> Iterator[Location]:
        last = _after_output(case)
        if last is not None:
            yield from at_site(last.site, 0.9, f"{last.name} is created here", last.name)
        yield from _dropout_places(case, lambda rate: rate > 0)


class TooLittleData(Fault):
    name = "too-little-training-data"
    fix_pattern = FixPattern.DATA_WRANGLING
    explanation = "There are so few training samples that the model memorizes them."
    advice = "Check slices and splits for lost samples; use all data, augment them, or use a smaller model."

    def explain(self, case: Case) -> str:
        training = case.data("train")
        count = training.samples if training is not None else None
        return f"There are only {count} training samples, so the model memorizes them." if count else self.explanation

    def clues(self, case: Case) -> Iterator[Clue]:
        gap = case.alarm(*_GAP)
        yield from seen(case.saw("tiny-data"), "tiny-data-and-gap" if gap else "tiny-data")
        yield from seen(gap, "gap")
        training, validation = case.data("train"), case.data("validation")
        if training and validation and training.samples and validation.samples and gap:
            if training.samples <= validation.samples:
                words = f"there are {training.samples} training and {validation.samples} validation samples"
                yield Clue("less-than-validation", words)
            elif training.samples >= _ENOUGH_SAMPLES:
                yield Clue("enough-data", f"there are {training.samples} training samples")

    def places(self, case: Case) -> Iterator[Location]:
        training = case.data("train")
        if training is not None:
            yield from at_site(training.site, 0.8, "the training data are passed here")


class MissingRegularization(Fault):
    name = "missing-regularization"
    fix_pattern = FixPattern.REGULARIZATION
    explanation = "The model overfits, and it has no weight decay, regularizer or dropout."
    advice = "Add weight_decay=1e-4 to 1e-2 in the optimizer (AdamW) or nn.Dropout, augment the data, or stop early."
    keras_advice = "Add layers.Dropout or kernel_regularizer='l2', augment the data, or use EarlyStopping."

    def clues(self, case: Case) -> Iterator[Clue]:
        gap = case.alarm("overfitting", "long-past-best")
        if gap is None:
            return
        yield Clue("gap", gap.message, gap.name)
        if not case.penalised and not any(rate > LOW_DROPOUT for _, rate in case.dropouts()):
            dropout = "its dropout rate is very low" if list(case.dropouts()) else "no dropout"
            yield Clue("nothing-regularizes", f"the model has no weight decay or regularizer, and {dropout}")
        else:
            yield Clue("regularizer-present", "the model has a regularizer")
        if _spelled_zero(case):
            yield Clue("penalty-of-zero", "weight decay or a regularizer is set to (almost) 0")
        elif _on_biases_alone(case):
            yield Clue("penalty-on-biases", "only the biases are regularized, which has no effect")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _penalty_places(case)
        for layer in case.recording.layers.values():
            if layer.parameters:
                yield from at_site(layer.site, 0.3, f"{layer.name} is created here", layer.name)


class RegularizationTooStrong(Fault):
    name = "regularization-too-strong"
    fix_pattern = FixPattern.REGULARIZATION
    explanation = "Weight decay or a regularizer is so strong that it outweighs the data."
    advice = "Divide weight_decay or the factor of the regularizer by 10."
    stated_by = ("weight-decay-too-strong", "regularization-dominates", "collapsed-weights")

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("regularization-dominates"))
        yield from seen(case.saw("weight-decay-too-strong"))
        yield from seen(case.saw("collapsed-weights"))
        yield from seen(case.saw("underfitting", "loss-flat", "constant-output"), "not-learning")
        if case.found("regularization-not-added"):
            yield Clue("penalties-not-added", "the loss that is trained does not contain the penalties of the layers")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _penalty_places(case)


def _dropout_places(case: Case, chosen: Callable[[float], bool]) -> Iterator[Location]:
    for layer, rate in case.dropouts():
        score = 0.9 if chosen(rate) else 0.3
        place = case.sources.argument(layer.site, layer.kind, "p", "rate", position=0)
        yield from at_place(place, score, f"the rate of {layer.name} is set here", layer.name)
        yield from at_site(layer.site, score - 0.05, f"{layer.name} is created here", layer.name)


def _penalty_places(case: Case) -> Iterator[Location]:
    if case.optimizer is not None:
        place = case.sources.argument(case.optimizer.site, "", "weight_decay")
        yield from at_place(place, 0.9, "weight decay is set here")
        yield from at_site(case.optimizer.site, 0.6, "the optimizer is created here")
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
