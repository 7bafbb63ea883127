"""samples-repeated-in-epoch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import LEAST_SAMPLES, sources
from bugloss.observe.recording import DataPass, Recording
from bugloss.observe.sketch import sketch

_FEW = 0.6  # of the samples are different ones: duplicates in real data stay far below two in five
_LEAST_BATCHES = 3  # in one or two batches of a tiny data set repetition shows nothing


def _pass(distinct: int, contents: int, **more: Any) -> DataPass:
    plain = DataPass(
        "train", "source-0", 0, 10, 10, 320, 320, True, 320, 10, True, distinct=distinct, contents=contents
    )
    return replace(plain, **more)


class SamplesRepeatedInEpoch(Detector):
    """One epoch gives the same samples again and again.

    ## What it finds
    Passes over the training data in which batches, or samples, come several times while others cannot have come.

    ## Why it hurts
    The model memorises a part of the data and never sees the rest; the number of epochs and the printed losses
    describe data that were not used. Mostly an index is wrong, or a generator yields its first batch for ever.

    ## How it decides
    Samples are known by the hash of their values. In a pass of three batches or more over a source that knows its size
    and does not draw with replacement, fewer than three in five different samples are a warning.

    ## Known problems
    Data that consist of few different samples look the same; two passes with equal numbers are compared for that.

    ## References
    ``keras.utils.PyDataset``; TrainCheck (2025), silent errors of data loading.
    """

    name = "samples-repeated-in-epoch"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(passes=(_pass(32, 1),)),
        sketch(passes=(_pass(160, 10),)),
    )
    healthy = (
        sketch(passes=(_pass(320, 10),)),
        sketch(passes=(_pass(200, 10, replaced=True),)),
        sketch(passes=(_pass(32, 1, batches=1, looked=32),)),
        sketch(passes=(_pass(310, 10),)),
        sketch(passes=(_pass(32, 1, whole=None, whole_batches=None),)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        copies = next((data.features.duplicate_share for data in recording.data if data.features is not None), 0.0)
        for passes in sources(recording):
            for item in passes:
                share = item.distinct / item.looked if item.looked else 1.0
                sized = item.whole is not None or item.whole_batches is not None
                if item.replaced or not sized or item.batches < _LEAST_BATCHES or item.looked < LEAST_SAMPLES:
                    continue
                if share >= _FEW or share >= _FEW * (1 - copies):
                    continue
                text = (
                    f"Of {item.looked} samples in the {item.batches} batches of one epoch {item.distinct} are different"
                )
                yield self.symptom(
                    text + (": each time the same batch." if item.contents == 1 else "."),
                    step=item.step,
                    site=item.site,
                    batches=item.batches,
                    different_batches=item.contents,
                    different=item.distinct,
                    looked_at=item.looked,
                )
                break
