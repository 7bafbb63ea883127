"""order-never-changes."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import LEAST_SAMPLES, sources
from bugloss.observe.recording import DataPass, Recording
from bugloss.observe.sketch import sketch, whole_pass

_SAME = 0.98  # of the places: by chance one in as many as there are samples
_LEAST_PASSES = 2  # comparisons: two epochs may be made equal on purpose, three are not


def _passes(same: float, shuffled: bool | None = True) -> tuple[DataPass, ...]:
    return tuple(whole_pass(number, shuffled=shuffled, same_order=same if number else None) for number in range(4))


class OrderNeverChanges(Detector):
    """A source that means to shuffle gives the same order in every epoch.

    ## What it finds
    Loaders and pipelines with shuffling on, whose epochs all have the samples in the same places.

    ## Why it hurts
    Every epoch repeats the same batches, so that the model sees no new neighbours and small batches bias it the same
    way each time. Mostly the seed is set inside of the loop, or a shuffled pipeline is cached.

    ## How it decides
    A warning where the source says that it shuffles and three epochs in a row have 98 % of the samples in the same
    place. Sources that do not mean to shuffle are left alone.

    ## Known problems
    Only the first rows of each batch are compared.

    ## References
    ``torch.utils.data.DataLoader``, ``generator``; ``tf.data.Dataset.shuffle``, ``reshuffle_each_iteration``.
    """

    name = "order-never-changes"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (sketch(passes=_passes(1.0)), sketch(passes=_passes(0.99)))
    healthy = (
        sketch(passes=_passes(0.01)),
        sketch(passes=_passes(1.0, None)),
        sketch(passes=_passes(1.0, False)),
        sketch(passes=_passes(1.0)[:2]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for passes in sources(recording):
            whole = [item for item in passes if item.shuffled and item.complete and item.batches > 1]
            compared = [item for item in whole if item.same_order is not None and item.looked >= LEAST_SAMPLES]
            same = [item for item in compared if (item.same_order or 0.0) >= _SAME and item.distinct > 1]
            if len(same) >= _LEAST_PASSES and len(same) == len(compared):
                yield self.symptom(
                    f"Shuffling is on, but {len(same) + 1} epochs in a row had the samples in the same order.",
                    step=same[0].step,
                    site=same[0].site,
                    epochs=len(same) + 1,
                    same_places=same[0].same_order,
                )
