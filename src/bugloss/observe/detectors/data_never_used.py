"""data-never-used."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import LEAST_SAMPLES, sources
from bugloss.observe.recording import DataPass, Occasion, Recording
from bugloss.observe.sketch import sketch

_HALF = 0.5  # of the batches: fewer may be left out to save time, more are surely missed
_LEAST_PASSES = 3  # that began anew: after the first the rest may still come


def _passes(batches: int, known: float, count: int = 5) -> tuple[DataPass, ...]:
    return tuple(
        DataPass(
            "train",
            "source-0",
            number,
            number + 1,
            batches,
            32 * batches,
            32 * batches,
            False,
            3200,
            100,
            False,
            distinct=32 * batches,
            contents=batches,
            known=known if number else 0.0,
            seen=32 * batches,
        )
        for number in range(count)
    )


class DataNeverUsed(Detector):
    """Training starts each pass over its data at the beginning and never gets to the rest, or has no data at all.

    ## What it finds
    Passes that are left early and give the same samples each time, and loaders that give no batch.

    ## Why it hurts
    Most of the data have no part in the training. ``next(iter(loader))`` in the loop gives the first batch for ever;
    ``drop_last`` with fewer samples than one batch gives none.

    ## How it decides
    Where at least three passes in a row were left early, brought no sample that the first did not have, and covered
    less than half of the batches, it is a warning. So is a loader that was gone through and gave nothing.

    ## Known problems
    Programs that are cut short on purpose, to be tried, do the same.

    ## References
    PyTorch forum, "next(iter(dataloader)) always returns the same batch"; ``drop_last`` of ``DataLoader``.
    """

    name = "data-never-used"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(passes=_passes(1, 1.0)),
        sketch(passes=_passes(20, 1.0)),
        sketch(occasions=(Occasion("empty-loader", 0, facts={"samples": 20, "batch_size": 32, "drop_last": True}),)),
    )
    healthy = (
        sketch(passes=_passes(1, 0.1)),
        sketch(passes=_passes(60, 1.0)),
        sketch(passes=_passes(1, 1.0, 2)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for passes in sources(recording):
            later = [item for item in passes[1:] if not item.complete and item.known == 1.0]
            first = passes[0]
            if first.complete or first.looked < LEAST_SAMPLES or len(later) < max(_LEAST_PASSES, len(passes) - 2):
                continue
            if first.whole_batches and first.batches < _HALF * first.whole_batches:
                yield self.symptom(
                    f"{len(later) + 1} passes used the first {first.batches} of {first.whole_batches} batches, always "
                    "with the same samples.",
                    step=first.step,
                    site=first.site,
                    passes=len(later) + 1,
                    batches=first.batches,
                    all_batches=first.whole_batches,
                )
        for occasion in recording.occasions:
            if occasion.kind == "empty-loader":
                samples, size = occasion.facts.get("samples"), occasion.facts.get("batch_size")
                why = " and drop_last leaves out what is less than a batch" if occasion.facts.get("drop_last") else ""
                yield self.symptom(
                    f"The loop over a loader of {samples} samples got no batch: batches have {size}{why}.",
                    step=occasion.step,
                    site=occasion.site,
                    samples=samples,
                    batch_size=size,
                )
                return
