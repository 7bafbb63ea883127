"""split-overlap."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Site, Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.inputs import inputs_of
from bugloss.observe.labels import data_of
from bugloss.observe.recording import Data, Evaluation, InputFeatures, Occasion, Recording
from bugloss.observe.sketch import sketch

_LEAST_SHARE = 0.05  # of the validation samples: less does not change the score visibly
_LEAST_SAMPLES = 16  # with fewer samples a share means nothing
_WHOLE = 0.999  # of the training data: they are measured again, which many programs do to print a score
_MOSTLY_NEW = 0.3  # of the samples: a split that stays leaves none, one that is drawn again most of them
_BY_NATURE = 0.5  # of the overlap: how many training samples may be copies of each other
_SHARED = InputFeatures(hashes=tuple(f"{index:04x}" for index in range(40)))

_DRAWN_AGAIN = "split-drawn-again"


def _met(*shares: float) -> tuple[Evaluation, ...]:
    return tuple(
        Evaluation(10 * place + 10, 4, 100, 0.4, content="a", met=share, data="validation", site=Site("train.py", 40))
        for place, share in enumerate(shares)
    )


class SplitOverlap(Detector):
    """Validation samples are among the training data.

    ## What it finds
    Samples that occur, bit by bit, both in training and in validation.

    ## Why it hurts
    The model is evaluated on samples that it was trained on. Validation looks too good, and overfitting is hidden.

    ## How it decides
    Where the probe could compare the data as a whole, a twentieth of the validation samples is a warning; it stays
    advice where the training samples repeat among themselves as well, since inputs of few discrete values coincide
    naturally. It stays advice, too, where the whole of the training data is measured: many programs print their
    training accuracy. Where evaluations are compared with all that was trained on before, a part that grows from one
    evaluation to a later one shows a split that is drawn again each time: a warning.
    Inspected batches can show a common sample too, but evaluating on the training data is not a fault: advice.

    ## Known problems
    Copies that were changed, by compression or augmentation, are not recognised.

    ## References
    deepchecks, train-test overlap; zalandoresearch/fashion-mnist#44; Yang et al., leakage analysis (2022).
    """

    name = "split-overlap"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(validation_data={"overlap": 0.4}),
        sketch(validation_data={"overlap": 1.0}),
        sketch(batch={"features": (_SHARED,)}, validation_batch={"features": (_SHARED,)}),
        sketch(evaluations=_met(0.0, 0.7, 0.9)),
        sketch(occasions=(Occasion(_DRAWN_AGAIN, 0),)),
    )
    healthy = (
        sketch(evaluations=_met(0.0, 0.0, 0.0)),
        sketch(evaluations=_met(1.0, 1.0, 1.0)),
        sketch(evaluations=_met(0.0, 0.02, 0.03)),
        sketch(evaluations=_met(0.0, 1.0, 1.0), validation_data={"features": InputFeatures(duplicate_share=0.9)}),
        sketch(validation_data={"overlap": 0.0}),
        sketch(validation_data={"overlap": 0.01}),
        sketch(validation_data={"overlap": None}),
        sketch(
            batch={"features": (_SHARED,)},
            validation_batch={"features": (InputFeatures(hashes=tuple(f"v{index}" for index in range(40))),)},
        ),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        again = next((item for item in recording.occasions if item.kind == _DRAWN_AGAIN), None)
        if again is not None:
            yield self.symptom(
                "Training and validation take their parts from one shuffle that has another order in each epoch: the "
                "split is drawn again and again.",
                site=again.site,
            )
            return
        drawn = _drawn_again(recording)
        if drawn is not None:
            first, later = drawn
            yield self.symptom(
                f"At step {first.step} {first.met:.0%} of the evaluated samples had been trained on, at step "
                f"{later.step} {later.met:.0%}: the split is drawn again.",
                step=later.step,
                site=later.site,
                overlap=later.met,
                overlap_at_first=first.met,
            )
            return
        data = data_of(recording, "validation")
        if data is not None and data.overlap is not None:
            if data.overlap >= _LEAST_SHARE:
                yield self.symptom(
                    f"{data.overlap:.0%} of the validation samples are also in the training data.",
                    site=data.site,
                    severity=Severity.ADVICE if _harmless(recording, data) else Severity.WARNING,
                    overlap=data.overlap,
                )
            return
        seen, common = _hashes(recording, "validation"), _hashes(recording, "train") & _hashes(recording, "validation")
        if len(seen) >= _LEAST_SAMPLES and len(common) >= _LEAST_SHARE * len(seen):
            yield self.symptom(
                f"{len(common)} of {len(seen)} inspected evaluation samples are also in the training data.",
                severity=Severity.ADVICE,
                overlap=len(common) / len(seen),
            )


def _drawn_again(recording: Recording) -> tuple[Evaluation, Evaluation] | None:
    """The first evaluation of held-out data, and a later one of which much more had been trained on."""
    known = [data.features for phase in ("train", "validation") if (data := data_of(recording, phase)) is not None]
    if any((each.duplicate_share or 0.0) >= _BY_NATURE for each in known if each is not None):
        return None  # few different samples, as the states of a small environment are, are met again in any split
    found: dict[Site | None, Evaluation] = {}
    for item in recording.evaluations:
        if item.met is None or item.data != "validation" or item.samples < _LEAST_SAMPLES or not _measured(item):
            continue
        first = found.setdefault(item.site, item)
        if (first.met or 0.0) <= _LEAST_SHARE and item.met >= (first.met or 0.0) + _MOSTLY_NEW:
            return first, item
    return None


def _measured(item: Evaluation) -> bool:
    """Whether something was measured: models that feed others, as target networks do, only answer."""
    return item.loss is not None or item.accuracy is not None


def _harmless(recording: Recording, validation: Data) -> bool:
    """Whether samples coincide naturally, or the whole training data are evaluated again."""
    data, overlap = data_of(recording, "train"), validation.overlap or 0.0
    if data is None:
        return False
    copies = data.features.duplicate_share if data.features is not None else 0.0
    few = data.samples is not None and data.samples < _LEAST_SAMPLES
    whole = overlap >= _WHOLE and bool(data.samples) and validation.samples == data.samples
    return few or whole or copies >= _BY_NATURE * overlap


def _hashes(recording: Recording, phase: str) -> set[str]:
    return {
        mark
        for item in inputs_of(recording, phase)
        if item.place == 0 and item.features is not None
        for mark in item.features.hashes
    }
