"""Faults of the data: labels of other inputs, different preprocessing, scales, augmentation."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import Case
from bugloss.observe.fault import Clue, Fault, at_site, seen

_CHANCE = 1.6  # accuracies up to this many times that of chance level count as no better than it
_NEAR_CHANCE = 0.15  # nor do those within fifteen points of it, where chance level is high
_WELL_ABOVE = 0.15  # training is better than validation by more than validation sets vary

_WITH_A_LINE = (
    *("targets-change-places", "features-in-other-order", "target-not-augmented", "augmentation-repeats"),
    *("validation-scaled-by-itself", "validation-augmented"),
)


class LabelsDoNotFitInputs(Fault):
    name = "labels-do-not-fit-inputs"
    fix_pattern = FixPattern.DATA_WRANGLING
    explanation = "The training labels do not belong to their inputs, so the model can only memorize them."
    advice = "Check where inputs and labels are read, sorted, shuffled or filtered: apply the same order to both."

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("labels-do-not-fit-inputs"))
        yield from seen(case.saw("targets-change-places"))
        yield from seen(case.saw("conflicting-labels"))
        gap = case.alarm("overfitting", "static-validation")
        chance = _chance_accuracy(case)
        best = max((epoch.validation_accuracy or 0.0 for epoch in case.recording.epochs), default=0.0)
        last = next((epoch.accuracy for epoch in reversed(case.recording.epochs) if epoch.accuracy is not None), None)
        at_chance = chance is not None and 0 < best <= min(chance * _CHANCE, chance + _NEAR_CHANCE)
        same_scale = case.alarm("preprocessing-skew") is None  # inputs that are prepared otherwise are at chance, too
        if gap and same_scale and at_chance and last is not None and last > best + _WELL_ABOVE:
            yield Clue(
                "validation-at-chance",
                f"the validation accuracy stays at chance level ({best:.0%}) while the training accuracy reaches "
                f"{last:.0%}",
            )
        if case.saw("tiny-data", "preprocessing-skew", "label-shift"):
            yield Clue(
                "parts-differ",
                "the amount of data, or the difference between training and validation data, explains it",
            )
        if case.saw("loss-nonfinite", "initial-output-scale", "symmetric-weights", "loss-diverging"):
            yield Clue("nothing-learned", "the model could not have learned anything, whatever the labels are")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _data_places(case)


class PartsPreparedDifferently(Fault):
    name = "preprocessing-mismatch"
    fix_pattern = FixPattern.DATA_WRANGLING
    explanation = "Training and validation inputs are preprocessed in different ways."
    advice = "Apply the same preprocessing to both, with statistics from the training data only."
    stated_by = ("preprocessing-skew",)

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("preprocessing-skew"))
        yield from seen(case.saw("features-in-other-order"))
        yield from seen(case.saw("validation-scaled-by-itself"))
        yield from seen(case.alarm("overfitting", "static-validation", "validation-too-good"), "gap")

    def places(self, case: Case) -> Iterator[Location]:
        skew = case.alarm("preprocessing-skew")
        if skew is not None and "used_mean" in skew.evidence:
            yield from at_site(skew.site, 0.95, "inputs of another scale are used here")
        yield from _data_places(case)


class UnrepresentativeSplit(Fault):
    name = "unrepresentative-split"
    fix_pattern = FixPattern.DATA_WRANGLING
    explanation = "Training and validation data contain different classes, or the same ones in other proportions."
    advice = "Shuffle before splitting, or use a stratified split: train_test_split(x, y, stratify=y)."
    stated_by = ("label-shift",)

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("label-shift"))
        yield from seen(case.alarm("overfitting", "static-validation"), "gap")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _data_places(case)


class UnnormalisedInput(Fault):
    name = "unnormalised-input"
    fix_pattern = FixPattern.DATA_WRANGLING
    explanation = "The inputs are not normalized."
    advice = (
        "Scale every feature to mean 0 and standard deviation 1, or pixels to 0..1, with the statistics of the "
        "training data, exactly once."
    )
    stated_by = ("twice-normalised-input", "unnormalised-input", "constant-features")

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
    explanation = "All sample weights (or the whole mask) of a batch are zero, so the weighted mean divides 0 by 0."
    advice = "Skip such batches, or divide by weights.sum().clamp(min=1e-8)."
    keras_advice = "Skip such batches, or divide by tf.maximum(tf.reduce_sum(weights), 1e-8)."
    stated_by = ("zero-sample-weights",)

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("zero-sample-weights"))
        yield from _weightless_batches(case)
        for event in case.recording.nonfinite:
            divisor = event.inputs[-1] if event.inputs and "div" in event.operation.lower() else None
            if divisor is None or divisor.minimum > 0 or divisor.maximum < 0 or not divisor.zero_share:
                continue
            text = event.site.text if event.site else ""
            if any(word in text.lower() for word in ("weight", "mask", "valid", "count")):
                yield Clue("division-by-weights", f"{event.operation} divides by a sum of weights that is 0: {text}")
            else:
                yield Clue("division-by-zero", f"{event.operation} divides by 0: {text}")
            return

    def places(self, case: Case) -> Iterator[Location]:
        for event in case.recording.nonfinite:
            yield from at_site(event.site, 0.9, f"{event.operation} is called here")
        yield from _data_places(case)


def _weightless_batches(case: Case) -> Iterator[Clue]:
    """So many weights are zero that some batches must have had none at all, and the loss is NaN."""
    broken = case.saw("loss-nonfinite")
    for data in case.recording.data:
        share = data.weights.zero_share if data.weights is not None and data.phase == "train" else None
        if broken is None or not share or not data.batch_size:
            continue
        empty = len(case.recording.steps) * share**data.batch_size
        if empty >= 1:
            words = f"{share:.0%} of the sample weights are zero: about"
            yield Clue(
                "weightless-batches",
                f"{words} {empty:.0f} of {len(case.recording.steps)} batches have only zero weights, and the loss is "
                "NaN",
            )


class IneffectiveAugmentation(Fault):
    name = "wrong-augmentation"
    fix_pattern = FixPattern.DATA_WRANGLING
    explanation = "Augmented data are not used, no longer match their labels, or are validated on."
    advice = (
        "Use the return value of the augmentation, augment training data only, and inspect a few samples and labels."
    )

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("labels-do-not-fit-inputs"))
        yield from seen(case.saw("target-not-augmented"))
        yield from seen(case.saw("augmentation-repeats"))
        yield from seen(case.saw("validation-augmented"))
        gap = case.alarm("overfitting", "training-above-validation", "static-validation")
        if gap is not None and any(True for _ in self.from_findings(case)):
            yield Clue("gap-with-finding", gap.message, gap.name)

    def places(self, case: Case) -> Iterator[Location]:
        yield from _data_places(case)


def _chance_accuracy(case: Case) -> float | None:
    """The accuracy of a model that always predicts the most frequent class."""
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
        yield from at_site(
            data.site, 0.7 if data.phase == "train" else 0.5, f"the {_phase(data.phase)} data are passed here"
        )
    for batch in case.recording.batches[:2]:
        yield from at_site(batch.site, 0.4, f"a {_phase(batch.phase)} batch is used here")


def _phase(name: str) -> str:
    return "training" if name == "train" else name


PLUGINS: tuple[Fault, ...] = (
    LabelsDoNotFitInputs(),
    PartsPreparedDifferently(),
    UnrepresentativeSplit(),
    UnnormalisedInput(),
    IneffectiveAugmentation(),
    ZeroSampleWeights(),
)
