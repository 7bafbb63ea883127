"""label-shift."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import CLASSIFIED, all_counted, batch_counts, batches_of, chance_run, data_of, whole_targets
from bugloss.observe.recording import Recording, Targets
from bugloss.observe.sketch import sketch

# Of the class shares: stratified and random splits differ by a few hundredths, a quarter is another distribution.
_SOME, _MUCH = 0.25, 0.5
_UNSEEN = 0.2  # of the validation labels in classes unknown to training: a fifth cannot be a rare class
_LEAST_LABELS = 50  # with fewer labels shares differ this much by chance
_IN_ORDER = 2.0  # times the run length of chance: such batches do not represent their data
_EVEN = Targets("index", 3, {"0": 100, "1": 100, "2": 100})
_FIRST_TWO = Targets("index", 2, {"0": 150, "1": 150})
_LAST = Targets("index", 3, {"2": 75})


class LabelShift(Detector):
    """The class frequencies of validation and training differ.

    ## What it finds
    Label distributions of the two parts that differ by a quarter or more, and classes that occur only in validation.

    ## Why it hurts
    Validation then measures classes that were rare in training. The usual cause is a sorted data set that was split
    without shuffling; ``validation_split`` of Keras takes the last samples as they come.

    ## How it decides
    By half the sum of the differences of all class shares. From the labels of all samples, half or more is a warning,
    and so are classes that are missing in training and make up a fifth of validation; from a quarter on it is advice.
    Inspected batches alone give advice only, and only where their labels come in random order.

    ## Known problems
    Training data that were balanced on purpose differ from natural validation data.

    ## References
    deepchecks, label drift; ``validation_split`` of ``keras.Model.fit``.
    """

    name = "label-shift"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(data={"targets": _FIRST_TWO}, validation_data={"targets": _LAST}),
        sketch(data={"targets": _EVEN}, validation_data={"targets": Targets("index", 3, {"0": 75, "1": 20, "2": 5})}),
    )
    healthy = (
        sketch(data={"targets": _EVEN}, validation_data={"targets": Targets("index", 3, {"0": 30, "1": 36, "2": 34})}),
        sketch(data={"targets": _EVEN}, validation_data={"targets": Targets("index", 3, {"0": 9, "1": 1})}),
        sketch(validation_batch={"targets": Targets("index", 10, {"0": 64}, 64.0)}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        whole = _whole(recording, "train"), _whole(recording, "validation")
        sure = all(whole)
        training, validation = whole if sure else _of_batches(recording)
        if min(sum(training.values()), sum(validation.values())) < _LEAST_LABELS:
            return
        if not all_counted(training) or not all_counted(validation):
            return
        distance, unseen = _distance(training, validation), _unseen(training, validation)
        if distance < _SOME:
            return
        data = data_of(recording, "validation")
        yield self.symptom(
            f"The class frequencies of training and validation differ by {distance:.0%}; {unseen:.0%} of the "
            "validation labels never occur in training.",
            site=data.site if data is not None else None,
            severity=Severity.WARNING if sure and (distance >= _MUCH or unseen >= _UNSEEN) else Severity.ADVICE,
            distance=distance,
            unseen_share=unseen,
        )


def _whole(recording: Recording, phase: str) -> dict[str, int]:
    targets = whole_targets(recording, phase)
    return dict(targets.counts) if targets is not None and targets.encoding in CLASSIFIED else {}


def _of_batches(recording: Recording) -> tuple[dict[str, int], dict[str, int]]:
    """Label counts of the inspected batches; none where their labels are ordered."""
    found = []
    for phase in ("train", "validation"):
        known = batch_counts(recording, phase)
        chance = chance_run(known)
        runs = [batch.targets.run_length for batch in batches_of(recording, phase) if batch.targets is not None]
        mixed = chance is not None and bool(runs) and max(runs) <= _IN_ORDER * chance
        found.append(known if mixed else {})
    return found[0], found[1]


def _distance(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    total, others = sum(one.values()), sum(other.values())
    return sum(abs(one.get(name, 0) / total - other.get(name, 0) / others) for name in {*one, *other}) / 2


def _unseen(training: Mapping[str, int], validation: Mapping[str, int]) -> float:
    return sum(count for name, count in validation.items() if not training.get(name)) / sum(validation.values())
