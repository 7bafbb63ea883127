"""train-evaluation-gap."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import data_of
from bugloss.observe.layer_kinds import number
from bugloss.observe.recording import PropertyAnswer, Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.validation import checkpoints, losses

_PROPERTY = "train-evaluation-consistency"
_WORSE = 1.5  # times the loss in training mode: dropout alone makes evaluation better, not worse
_SAME_DATA = 0.95  # of the validation samples are training samples: both losses should be alike
_SAME_WORSE = 2.0  # times the training loss on the same data: progress within an epoch explains less
_TIMES = 3  # epochs in a row, so that one odd epoch does not count


class TrainEvaluationGap(Detector):
    """The outputs in evaluation mode differ from those in training mode on the same data.

    ## What it finds
    A loss in evaluation mode that is far above the loss in training mode, on the same batch or on validation data that
    are the training data.

    ## Why it hurts
    Training metrics then do not show how the model performs in use. Broken batch-norm statistics are the usual cause.

    ## How it decides
    A property probe runs one batch in both modes on a copy of the model. Where it finds them inconsistent and the
    evaluation loss is one and a half times the training loss, it is a warning; where evaluation is better, dropout
    explains it, and it is advice. Without the probe, validation on the training data must be twice as bad as training
    for three epochs.

    ## Known problems
    Early in training batch-norm statistics lag behind.

    ## References
    TheDeepChecker (2023), comparison of the two modes.
    """

    name = "train-evaluation-gap"
    severity = Severity.WARNING
    category = Category.MODEL
    faulty = (
        sketch(
            properties=(PropertyAnswer(_PROPERTY, False, {"train_loss": 0.2, "evaluation_loss": 3.1, "cosine": 0.2}),)
        ),
        sketch(validation=[4.0], validation_data={"overlap": 1.0}),
        sketch(properties=(PropertyAnswer(_PROPERTY, False, {"train_loss": 1.2, "evaluation_loss": 0.4}),)),
    )
    healthy = (
        sketch(properties=(PropertyAnswer(_PROPERTY, True, {"train_loss": 0.2, "evaluation_loss": 0.25}),)),
        sketch(properties=(PropertyAnswer(_PROPERTY, None),)),
        sketch(validation=[2.1, 1.8, 1.5, 1.6, 1.9], validation_data={"overlap": 0.0}),
        sketch(validation=[2.0, 1.6, 1.2, 0.9, 0.6, 0.3], validation_data={"overlap": 1.0}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        answer = recording.property(_PROPERTY)
        if answer is not None and answer.holds is False:
            yield self._of_probe(answer)
            return
        data = data_of(recording, "validation")
        pairs = losses(checkpoints(recording))[-_TIMES:]
        same = data is not None and data.overlap is not None and data.overlap >= _SAME_DATA
        if same and len(pairs) == _TIMES and all(valid > _SAME_WORSE * abs(train) for _, train, valid in pairs):
            last, train, valid = pairs[-1]
            yield self.symptom(
                f"On the same data the loss is {train:.3g} in training mode and {valid:.3g} in evaluation mode.",
                step=last.step,
                train_loss=train,
                evaluation_loss=valid,
            )

    def _of_probe(self, answer: PropertyAnswer) -> Symptom:
        train, evaluation = number(answer.facts, "train_loss"), number(answer.facts, "evaluation_loss")
        cosine = number(answer.facts, "cosine")
        worse = train is None or evaluation is None or evaluation > _WORSE * abs(train)
        numbers = (
            f": the loss is {train:.3g} and {evaluation:.3g}" if train is not None and evaluation is not None else ""
        )
        return self.symptom(
            f"The outputs for one batch differ between training and evaluation mode{numbers}.",
            step=answer.step,
            severity=Severity.WARNING if worse else Severity.ADVICE,
            train_loss=train,
            evaluation_loss=evaluation,
            cosine=cosine,
        )
