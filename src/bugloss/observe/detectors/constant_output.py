"""constant-output."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.chance import class_count, label_counts, only_loss
from bugloss.observe.contract import Detector
from bugloss.observe.progress import alarm_if_struggling, struggles
from bugloss.observe.recording import Batch, Evaluation, Numbers, Recording
from bugloss.observe.sketch import falling, noisy, sketch

_LEAST_TIMES = 3  # batches or evaluations in a row, so that one of them may be odd
_LEAST_SAMPLES = 32  # with fewer samples a good model may name one class by chance
_LOPSIDED = 0.8  # of the labels in one class: always naming it is what a fair model would do
_GOOD_ACCURACY = 0.9  # above it the evaluation itself holds one class only
# Differences below these never change an answer or move a prediction visibly.
_SPREAD_OF_LOGITS, _SPREAD_OF_PROBABILITIES, _SPREAD_OF_TARGETS = 0.01, 1e-4, 0.01
_FLAT = noisy([2.303] * 100, 0.01)
_STUCK = Numbers((64, 10), "float32", -0.2, 0.3, 0.0, 0.1)


def _seen(*spreads: float) -> tuple[Batch, ...]:
    return tuple(
        Batch(20 * index, "train", 64, outputs=_STUCK, output_spread=spread) for index, spread in enumerate(spreads)
    )


def _answers(*shares: float) -> tuple[Evaluation, ...]:
    return tuple(
        Evaluation(20 * (index + 1), 4, 200, 2.3, share, predicted={"3": 200} if share < 0.2 else {"3": 90, "4": 110})
        for index, share in enumerate(shares)
    )


@dataclass(frozen=True, slots=True)
class _Look:
    step: int
    spread: float
    limit: float


class ConstantOutput(Detector):
    """The model gives the same output for every input.

    ## What it finds
    Outputs that do not differ between the samples of a batch, or evaluations in which only one class is predicted.

    ## Why it hurts
    The inputs do not matter: the model has collapsed to a constant, the mean of the targets or the most frequent class.

    ## How it decides
    On the last three inspected batches after the first update, outputs vary by less than a hundredth of a logit, a
    ten-thousandth of a probability, or a hundredth of the targets' deviation; or the last three evaluations of 32
    samples or more predict one class out of several, with an accuracy under 90 %. A warning where the model does not
    learn. Otherwise, and where one class makes up 80 % of the labels, advice.

    ## Known problems
    Early in training all outputs are similar; therefore three batches in a row are required.

    ## References
    Fault catalogue, training dynamics: constant-output.
    """

    name = "constant-output"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(_FLAT, batches=_seen(0.4, 1e-4, 1e-6, 0.0)),
        sketch(_FLAT, evaluations=_answers(0.1, 0.1, 0.1)),
        sketch(falling(2.3, 1.5), batches=_seen(0.0, 0.0, 0.0, 0.0)),
    )
    healthy = (
        sketch(_FLAT, batches=_seen(0.001, 0.2, 0.5)),
        sketch(evaluations=_answers(0.1, 0.5, 0.8)),
        sketch(evaluations=tuple(Evaluation(20 * index, 1, 64, 0.1, 1.0, predicted={"3": 64}) for index in range(5))),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        looks = _looks(recording)[-_LEAST_TIMES:]
        if len(looks) == _LEAST_TIMES and all(look.spread < look.limit for look in looks):
            widest = max(look.spread for look in looks)
            yield self.symptom(
                f"The outputs are the same for every sample: within a batch they differ by at most {widest:.2g}.",
                step=looks[0].step,
                severity=self.severity if struggles(recording) or widest == 0 else Severity.ADVICE,
                spread=widest,
                limit=looks[-1].limit,
            )
        else:
            yield from self._of_answers(recording)

    def _of_answers(self, recording: Recording) -> Iterator[Symptom]:
        known = [each for each in recording.evaluations if each.predicted and each.samples >= _LEAST_SAMPLES]
        last, counts = known[-_LEAST_TIMES:], label_counts(recording)
        if len(last) < _LEAST_TIMES or not all(_one_answer(each) for each in last) or len(counts) == 1:
            return
        answer = next(iter(last[-1].predicted))
        lopsided = bool(counts) and max(counts.values()) > _LOPSIDED * sum(counts.values())
        yield self.symptom(
            f"The model predicts class {answer} for all {last[-1].samples} samples in each of the last three "
            "evaluations.",
            step=last[0].step,
            site=last[0].site,
            severity=Severity.ADVICE if lopsided else alarm_if_struggling(recording),
            answer=answer,
            accuracy=last[-1].accuracy,
            classes=len(counts) or None,
        )


def _one_answer(evaluation: Evaluation) -> bool:
    answers = [count for count in evaluation.predicted.values() if count > 0]
    return len(answers) == 1 and (evaluation.accuracy is None or evaluation.accuracy < _GOOD_ACCURACY)


def _looks(recording: Recording) -> list[_Look]:
    limit = _limit(recording)
    if limit is None:
        return []
    batches = [(batch.step, batch.output_spread) for batch in recording.batches if batch.size >= 2]
    evaluations = [(each.step, each.output_spread) for each in recording.evaluations if each.samples >= 2]
    known = [(step, spread) for step, spread in (*batches, *evaluations) if step > 0 and spread is not None]
    return [_Look(step, spread, limit) for step, spread in sorted(known)]


def _limit(recording: Recording) -> float | None:
    """How little outputs may vary before they count as constant."""
    if class_count(recording) is not None:
        outputs = [batch.outputs for batch in recording.batches if batch.outputs is not None]
        probabilities = bool(outputs) and all(each.minimum >= 0 and each.maximum <= 1 for each in outputs)
        return _SPREAD_OF_PROBABILITIES if probabilities else _SPREAD_OF_LOGITS
    loss = only_loss(recording)
    targets = [*(data.target for data in recording.data), *(batch.target for batch in recording.batches)]
    spread = max((target.std for target in targets if target is not None), default=0.0)
    return _SPREAD_OF_TARGETS * spread if loss is not None and spread > 0 else None
