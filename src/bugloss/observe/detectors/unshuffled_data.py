"""unshuffled-data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.labels import CLASSIFIED, batches_of, chance_run, counts, data_of, majority_share
from bugloss.observe.recording import Batch, Recording, Targets
from bugloss.observe.sketch import sketch

_PURE = 0.95  # of a batch in one class, but for a sample or two at the border of two classes
_MIXED = 0.75  # of all labels in one class: with more, pure batches are common by chance
_LONG = 3.0  # times the length of runs that chance gives
_LEAST_BATCHES = 3  # one or two pure batches come by chance
_LEAST_SIZE = 4  # smaller batches are often pure by chance
_WHOLE = Targets("index", 10, {str(label): 64 for label in range(10)}, 64.0)


def _pure(label: int) -> dict[str, Targets]:
    return {"targets": Targets("index", label + 1, {str(label): 64}, 64.0)}


class UnshuffledData(Detector):
    """The training data are sorted by label.

    ## What it finds
    Training batches with one class each that changes from batch to batch, and sorted labels that are not shuffled.

    ## Why it hurts
    Each batch trains the model to predict its own class. The model forgets the first classes while it sees the last.

    ## How it decides
    It is a warning when three batches or more contain almost one class only (95 %) while no class makes up more than
    three quarters of all of them, or when the labels of all samples are sorted and the data are known not to be
    shuffled. Runs of equal labels three times as long as expected in shuffled data are advice. Shuffled data are never
    reported.

    ## Known problems
    Programs with several optimizers, such as GANs, use batches of one class on purpose and are left out.

    ## References
    TrainLint; ``shuffle`` of ``torch.utils.data.DataLoader`` and ``keras.Model.fit``.
    """

    name = "unshuffled-data"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(data={"shuffled": False}, batch=[_pure(0), _pure(1), _pure(2), _pure(4)]),
        sketch(data={"shuffled": False, "sorted_labels": True, "targets": _WHOLE}),
        sketch(data={"shuffled": None}, batch={"targets": Targets("index", 10, {"0": 30, "1": 34}, 16.0)}),
    )
    healthy = (
        sketch(data={"shuffled": True, "sorted_labels": True, "targets": _WHOLE}),
        sketch(data={"shuffled": False}),
        sketch(data={"shuffled": False}, batch=[_pure(0)] * 5),  # one class is simply that common
        sketch(data={"shuffled": None}, batch={"targets": Targets("binary", 2, {"0": 60, "1": 4}, 9.0)}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        data = data_of(recording, "train")
        if (data is not None and data.shuffled is True) or len({step.optimizer for step in recording.steps}) > 1:
            return
        if data is not None and data.samples and data.batch_size and data.batch_size >= data.samples:
            return  # every batch holds all samples: their order is of no account
        batches = [batch for batch in batches_of(recording, "train") if _labelled(batch)]
        pure, all_sorted = _are_pure(batches), _are_sorted(recording)
        run, chance = _runs(recording, [] if _always_the_same(batches) else batches)
        if not pure and not all_sorted and (run is None or chance is None or run < _LONG * chance):
            return
        if pure or all_sorted:
            text = (
                "Each training batch contains only one class."
                if pure
                else "The training labels are sorted, not shuffled."
            )
        else:
            text = f"On average {run:.1f} equal labels follow each other; {chance:.1f} are expected in shuffled data."
        yield self.symptom(
            text,
            step=batches[0].step if batches else 0,
            site=data.site if data is not None else None,
            severity=Severity.WARNING if pure or all_sorted else Severity.ADVICE,
            run_length=run,
            chance_run_length=chance,
            batches=len(batches),
        )


def _labelled(batch: Batch) -> bool:
    targets = batch.targets
    return targets is not None and targets.encoding in CLASSIFIED and sum(targets.counts.values()) >= _LEAST_SIZE


def _always_the_same(batches: list[Batch]) -> bool:
    """Whether the same samples are inspected each time: all of them, or a fixed choice of the probe."""
    contents = [batch.targets.counts for batch in batches if batch.targets is not None]
    return len(contents) > 1 and all(content == contents[0] for content in contents)


def _are_pure(batches: list[Batch]) -> bool:
    if len(batches) < _LEAST_BATCHES:
        return False
    together: Counter[str] = Counter()
    shares = []
    for batch in batches:
        counted = dict(batch.targets.counts) if batch.targets is not None else {}
        together.update(counted)
        shares.append(majority_share(counted) or 0.0)
    return min(shares) >= _PURE and (majority_share(together) or 1.0) <= _MIXED


def _are_sorted(recording: Recording) -> bool:
    data = data_of(recording, "train")
    if data is None or not data.sorted_labels or data.shuffled is not False:
        return False
    share = majority_share(counts(recording, "train"))
    return share is not None and share <= _PURE


def _runs(recording: Recording, batches: list[Batch]) -> tuple[float | None, float | None]:
    """The mean length of runs of equal labels in the batches, and the length expected in shuffled data."""
    lengths = [batch.targets.run_length for batch in batches if batch.targets is not None]
    chance = chance_run(counts(recording, "train"))
    return (sum(lengths) / len(lengths) if lengths else None), chance
