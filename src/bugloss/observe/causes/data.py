"""Faults of the data: labels that belong to other inputs, parts prepared differently, scales, augmentation."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import Case
from bugloss.observe.fault import Clue, Fault, at_site, seen

_CHANCE = 1.6  # accuracies up to this many times that of chance level count as no better than it
_NEAR_CHANCE = 0.15  # nor do those within fifteen points of it, where chance level is high
_WELL_ABOVE = 0.15  # training is better than validation by more than validation sets vary

_WITH_A_LINE = ("targets-change-places", "features-in-other-order", "target-not-augmented", "augmentation-repeats")


class LabelsDoNotFitInputs(Fault):
    name = "labels-do-not-fit-inputs"
    fix_pattern = FixPattern.DATA_WRANGLING
    explanation = "Training labels do not belong to their inputs, so all that can be learned is to remember them."
    advice = "Look where inputs and labels are ordered, shuffled or read: both must take the same turn."

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("labels-do-not-fit-inputs"))
        yield from seen(case.saw("targets-change-places"))
        yield from seen(case.saw("conflicting-labels"))
        gap = case.alarm("overfitting", "static-validation")
        guess = _guessing(case)
        best = max((epoch.validation_accuracy or 0.0 for epoch in case.recording.epochs), default=0.0)
        last = next((epoch.accuracy for epoch in reversed(case.recording.epochs) if epoch.accuracy is not None), None)
        at_chance = guess is not None and 0 < best <= min(guess * _CHANCE, guess + _NEAR_CHANCE)
        if gap and at_chance and last is not None and last > best + _WELL_ABOVE:
            yield Clue(
                "validation-at-chance",
                f"validation never does better than guessing ({best:.0%}) while training reaches {last:.0%}: what the "
                "training labels teach holds nowhere else",
            )
        if case.saw("tiny-data", "preprocessing-skew", "label-shift"):
            yield Clue("parts-differ", "the amount of data, or how the parts differ, explains it")
        if case.saw("loss-nonfinite", "initial-output-scale", "symmetric-weights", "loss-diverging"):
            yield Clue("nothing-learned", "nothing could have been learned, whatever the labels are")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _data_places(case)


class PartsPreparedDifferently(Fault):
    name = "preprocessing-mismatch"
    fix_pattern = FixPattern.DATA_WRANGLING
    explanation = "Training and validation data are prepared in different ways."
    advice = "Put both through the same steps, with statistics taken from the training data alone."

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("preprocessing-skew"))
        yield from seen(case.saw("features-in-other-order"))
        yield from seen(case.alarm("overfitting", "static-validation", "validation-too-good"), "gap")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _data_places(case)


class UnrepresentativeSplit(Fault):
    name = "unrepresentative-split"
    fix_pattern = FixPattern.DATA_WRANGLING
    explanation = "Training and validation data hold different classes, or the same ones in very different shares."
    advice = "Shuffle before splitting, or split each class by itself (stratify)."

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("label-shift"))
        yield from seen(case.alarm("overfitting", "static-validation"), "gap")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _data_places(case)


class UnnormalisedInput(Fault):
    name = "unnormalised-input"
    fix_pattern = FixPattern.DATA_WRANGLING
    explanation = "Inputs come in a scale, or in scales so different, that the network cannot work with them."
    advice = (
        "Bring every feature to mean zero and deviation one (pictures to 0..1), with the training data's statistics."
    )

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("unnormalised-input"))
        yield from seen(case.saw("twice-normalised-input"))
        yield from seen(case.saw("constant-features"))
        out_of_scale = case.saw("initial-scale", "saturated-units", "exploding-gradient", "dead-units")
        yield from seen(out_of_scale, "signals-out-of-scale")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _data_places(case)


class ZeroSampleWeights(Fault):
    name = "zero-sample-weights"
    fix_pattern = FixPattern.DATA_WRANGLING
    explanation = "All sample weights (or the whole mask) of a batch are zero: the weighted mean divides zero by zero."
    advice = "Leave such batches out, or divide by the sum of the weights clamped from below."

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("zero-sample-weights"))
        yield from _weightless_batches(case)
        for event in case.recording.nonfinite:
            divisor = event.inputs[-1] if event.inputs and "div" in event.operation.lower() else None
            if divisor is None or divisor.minimum > 0 or divisor.maximum < 0 or not divisor.zero_share:
                continue
            text = event.site.text if event.site else ""
            if any(word in text.lower() for word in ("weight", "mask", "valid", "count")):
                yield Clue("division-by-weights", f"{event.operation} divides by a sum of weights that is zero: {text}")
            else:
                yield Clue("division-by-zero", f"{event.operation} divides by zero: {text}")
            return

    def places(self, case: Case) -> Iterator[Location]:
        for event in case.recording.nonfinite:
            yield from at_site(event.site, 0.9, f"{event.operation} divides here")
        yield from _data_places(case)


def _weightless_batches(case: Case) -> Iterator[Clue]:
    """So many weights are zero that some batches must have had none at all, and the loss is no number."""
    spoilt = case.saw("loss-nonfinite")
    for data in case.recording.data:
        share = data.weights.zero_share if data.weights is not None and data.phase == "train" else None
        if spoilt is None or not share or not data.batch_size:
            continue
        empty = len(case.recording.steps) * share**data.batch_size
        if empty >= 1:
            words = f"{share:.0%} of the sample weights are zero: of {len(case.recording.steps)} batches about"
            yield Clue("weightless-batches", f"{words} {empty:.0f} have no weight at all, and the loss is no number")


class IneffectiveAugmentation(Fault):
    name = "wrong-augmentation"
    fix_pattern = FixPattern.DATA_WRANGLING
    explanation = "Augmented data are made and not used, or no longer show what their label says."
    advice = (
        "Assign what the augmentation returns, use it for training only, and look at a few samples with their labels."
    )

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("labels-do-not-fit-inputs"))
        yield from seen(case.saw("target-not-augmented"))
        yield from seen(case.saw("augmentation-repeats"))
        gap = case.alarm("overfitting", "training-above-validation", "static-validation")
        if gap is not None and any(True for _ in self.from_findings(case)):
            yield Clue("gap-with-finding", gap.message, gap.name)

    def places(self, case: Case) -> Iterator[Location]:
        yield from _data_places(case)


def _guessing(case: Case) -> float | None:
    """The accuracy of always answering the commonest class."""
    for data in case.recording.data:
        if data.targets is not None and data.targets.counts:
            counts = data.targets.counts.values()
            return max(counts) / sum(counts)
    for batch in case.recording.batches:
        if batch.targets is not None and len(batch.targets.counts) > 1:
            return 1 / len(batch.targets.counts)
    return None


def _data_places(case: Case) -> Iterator[Location]:
    for symptom in case.all_seen(*_WITH_A_LINE):
        yield from at_site(symptom.site, 0.8, symptom.name)
    for data in case.recording.data:
        yield from at_site(data.site, 0.7 if data.phase == "train" else 0.5, f"{data.phase} data come in here")
    for batch in case.recording.batches[:2]:
        yield from at_site(batch.site, 0.4, f"a {batch.phase} batch is used here")


PLUGINS: tuple[Fault, ...] = (
    LabelsDoNotFitInputs(),
    PartsPreparedDifferently(),
    UnrepresentativeSplit(),
    UnnormalisedInput(),
    IneffectiveAugmentation(),
    ZeroSampleWeights(),
)
