"""class-imbalance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import CLASSIFIED, all_counted, batch_counts, batches_of, counts, data_of, encoding
from bugloss.observe.recording import Evaluation, Recording, Targets
from bugloss.observe.sketch import sketch

_LEAST_LABELS = 100  # with fewer labels a rare class may be missing by chance
_RATIO = 10  # the commonest class against the rarest: ten to one is where plain training starts to ignore a class
_ALL_BUT_ALWAYS = 0.98  # of the answers: a model that knows the rare class names it more often than one time in fifty
_SKEWED = Targets("binary", 2, {"0": 970, "1": 30})
_EVEN = Targets("binary", 2, {"0": 32, "1": 32})


class ClassImbalance(Detector):
    """Some classes are far rarer in training than others.

    ## What it finds
    The most frequent class of the training data occurs at least ten times as often as the rarest.

    ## Why it hurts
    Always predicting the most frequent class is nearly right. The model may learn just that, and accuracy hides it.

    ## How it decides
    By the labels of the batches that were drawn where there are enough of them, so that balanced sampling counts, else
    by those of all samples. It is advice, and a warning when evaluation shows that the model predicts the most frequent
    class 98 % of the time although others occur. Class or sample weights that are given to ``fit`` turn it off.

    ## Known problems
    Weights inside a loss function are not seen. Language models, whose tokens are never balanced, are left out.

    ## References
    TheDeepChecker (2023); deepchecks; ``class_weight`` of ``keras.Model.fit``,
    ``torch.utils.data.WeightedRandomSampler``.
    """

    name = "class-imbalance"
    severity = Severity.ADVICE
    category = Category.TRAINING
    faulty = (
        sketch(data={"targets": _SKEWED, "samples": 1000}, batch={"targets": Targets("binary", 2, {"0": 62, "1": 2})}),
        sketch(data={"targets": _SKEWED}, evaluations=(Evaluation(99, 5, 200, 0.2, 0.97, predicted={"0": 200}),)),
    )
    healthy = (
        sketch(data={"targets": Targets("binary", 2, {"0": 800, "1": 200}), "samples": 1000}),
        sketch(data={"targets": _SKEWED, "class_weights": {"0": 1.0, "1": 30.0}}),
        sketch(data={"targets": _SKEWED}, batch=[{"targets": _EVEN}] * 4),  # balanced sampling
        sketch(batch={"targets": Targets("index", 10, {"0": 20, "1": 1})}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        known = _trained_on(recording)
        if encoding(recording) not in CLASSIFIED or sum(known.values()) < _LEAST_LABELS or not all_counted(known):
            return
        most, least = max(known.values()), min(known.values())
        if len(known) < 2 or most < _RATIO * least or _weighted(recording) or _of_sequences(recording):
            return
        collapsed = _answers_majority(recording, known)
        data = data_of(recording, "train")
        yield self.symptom(
            (
                f"The most frequent class occurs {most / least:.0f} times as often as the rarest ({most} and {least} "
                "samples)"
            )
            + (", and the model predicts it almost always." if collapsed else "."),
            step=0,
            site=data.site if data is not None else None,
            severity=Severity.WARNING if collapsed else Severity.ADVICE,
            most_frequent=most,
            rarest=least,
            classes=len(known),
        )


def _trained_on(recording: Recording) -> dict[str, int]:
    drawn = batch_counts(recording, "train")
    return drawn if sum(drawn.values()) >= _LEAST_LABELS else counts(recording, "train")


def _weighted(recording: Recording) -> bool:
    data = data_of(recording, "train")
    given = data is not None and (data.class_weights is not None or data.weights is not None)
    return given or any(batch.weights is not None for batch in recording.batches)


def _of_sequences(recording: Recording) -> bool:
    """Whether every sample has many labels: tokens or pixels."""
    looked = [(batch, batch.targets, batch.target) for batch in batches_of(recording, "train")]
    return any(
        sum(targets.counts.values()) > batch.size > 0 or (targets.encoding != "one-hot" and len(target.shape) > 2)
        for batch, targets, target in looked
        if targets is not None and target is not None
    )


def _answers_majority(recording: Recording, known: Mapping[str, int]) -> bool:
    """Whether the model predicted the most frequent training class nearly always in the last evaluation."""
    answered = next((item.predicted for item in reversed(recording.evaluations) if item.predicted), None)
    if not answered or sum(answered.values()) < _LEAST_LABELS:
        return False
    most_frequent = max(known, key=lambda name: known[name])
    return answered.get(most_frequent, 0) >= _ALL_BUT_ALWAYS * sum(answered.values())
