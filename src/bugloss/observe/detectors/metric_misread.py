"""metric-misread."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import is_number
from bugloss.observe.recording import Evaluation, PrintedNumber, Recording
from bugloss.observe.sketch import sketch

_APART = 0.02  # two points of accuracy between the right value and the one that was taken: less changes no decision
_FAR = 0.05  # of an accuracy that is compared with one of another definition
_ROUNDING = 1e-6  # of single precision, where many digits are printed
_SCALES = (1.0, 100.0)  # an accuracy is printed as a share or in percent
_LEAST_TIMES = 2  # evaluations: one may agree with a wrong formula by chance
_ACCURACY = re.compile(r"\bacc(uracy)?\b")
_TRAINING = re.compile(r"\btr(ain|aining|n)?\b")
_EXPLANATIONS = {
    "accuracy of the last batch": "that of the last batch alone",
    "accuracy, sum over batches by samples": "a sum of batch accuracies divided by the number of samples",
    "accuracy, sum over samples by batches": "the number of right answers divided by the number of batches",
    "accuracy, mean of batches": "the mean over batches of unequal size",
}


def _evaluations(readings: dict[str, float], accuracy: float = 0.81) -> tuple[Evaluation, ...]:
    return tuple(Evaluation(step, 4, 100, accuracy=accuracy, readings=readings, data="validation") for step in (50, 60))


def _printed(value: float, name: str = "val acc") -> tuple[PrintedNumber, ...]:
    return tuple(PrintedNumber(step, name, value, 4) for step in (50, 60))


_READINGS = {
    "accuracy of the last batch": 0.6,
    "accuracy, mean of batches": 0.76,
    "accuracy, sum over batches by samples": 0.0304,
    "accuracy, sum over samples by batches": 20.25,
}


class MetricMisread(Detector):
    """The accuracy that the program prints is not that of its predictions.

    ## What it finds
    Printed accuracies that differ from the one recomputed from outputs and labels, and agree with a known slip: the
    last batch only, a division by the wrong number, a mean over batches of unequal size, a threshold for probabilities
    on logits.

    ## Why it hurts
    Models are chosen, and training is judged, by a number that means something else.

    ## How it decides
    A printed accuracy counts where its words say so and an evaluation took place at that step. Only where it agrees, to
    the digits that were printed, with one of the slips and not with the right value is it a warning; a mean over
    unequal batches is advice. Answers that the program compared itself are held against how the loss reads outputs.

    ## Known problems
    Numbers that are written to a log file or a progress bar are not read.

    ## References
    Relation "the printed metric is the one recomputed from raw predictions and true targets".
    """

    name = "metric-misread"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(evaluations=_evaluations(_READINGS), printed=_printed(0.6)),
        sketch(evaluations=_evaluations(_READINGS), printed=_printed(20.25)),
        sketch(evaluations=_evaluations(_READINGS), printed=_printed(0.76)),
        sketch(evaluations=_evaluations({"accuracy by loss": 0.93})),
    )
    healthy = (
        sketch(evaluations=_evaluations(_READINGS), printed=_printed(0.81)),
        sketch(evaluations=_evaluations(_READINGS), printed=_printed(81.0)),
        sketch(evaluations=_evaluations(_READINGS), printed=_printed(0.6, "train acc")),
        sketch(evaluations=_evaluations(_READINGS), printed=_printed(0.55)),
        sketch(evaluations=_evaluations({"accuracy by loss": 0.81})),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        yield from self._printed(recording)
        differing = [item for item in recording.evaluations if _differs_from_loss(item)]
        if len(differing) >= _LEAST_TIMES:
            item = differing[-1]
            right, taken = item.readings["accuracy by loss"], item.accuracy or 0.0
            yield self.symptom(
                f"The program counts {taken:.1%} right answers; as the loss reads the outputs, {right:.1%} are right.",
                step=item.step,
                site=item.site,
                counted=taken,
                recomputed=right,
            )

    def _printed(self, recording: Recording) -> Iterator[Symptom]:
        found: dict[str, list[tuple[Evaluation, PrintedNumber]]] = {}
        for item in recording.printed:
            evaluations = [one for one in recording.evaluations if one.step == item.step and is_number(one.accuracy)]
            if not evaluations or not _ACCURACY.search(item.name) or _TRAINING.search(item.name):
                continue
            if any(_agrees(item, one.accuracy or 0.0) for one in evaluations):
                continue
            for evaluation in evaluations:
                slip = _slip(evaluation, item)
                if slip is not None:
                    found.setdefault(slip, []).append((evaluation, item))
        for slip, pairs in found.items():
            if len(pairs) < _LEAST_TIMES:
                continue
            evaluation, item = pairs[-1]
            yield self.symptom(
                f"'{item.name}' is printed as {item.value:g}, which is {_EXPLANATIONS[slip]}; of all answers "
                f"{evaluation.accuracy or 0.0:.1%} are right.",
                step=item.step,
                site=item.site,
                severity=Severity.ADVICE if slip.endswith("mean of batches") else Severity.WARNING,
                printed=item.value,
                recomputed=evaluation.accuracy,
            )
            return


def _agrees(item: PrintedNumber, accuracy: float) -> bool:
    """Whether a printed number is this one, as a share or in percent, rounded or cut off."""
    unit = float(f"1e-{item.digits}")
    return any(abs(item.value - scale * accuracy) <= max(unit, scale * _ROUNDING) for scale in _SCALES)


def _slip(evaluation: Evaluation, item: PrintedNumber) -> str | None:
    """The wrong formula whose value was printed, where it is far enough from the right one."""
    for name in _EXPLANATIONS:
        value = evaluation.readings.get(name)
        if value is None or not is_number(value) or abs(value - (evaluation.accuracy or 0.0)) < _APART:
            continue
        if _agrees(item, value):
            return name
    return None


def _differs_from_loss(item: Evaluation) -> bool:
    right = item.readings.get("accuracy by loss")
    return is_number(right) and is_number(item.accuracy) and abs((right or 0.0) - (item.accuracy or 0.0)) >= _FAR
