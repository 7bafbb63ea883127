"""augmentation-repeats."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import LEAST_SAMPLES, sources
from bugloss.observe.recording import DataPass, Recording
from bugloss.observe.sketch import sketch, whole_pass

_SAME = 0.98  # of the samples: flips at random leave a half, crops and noise nothing
_LEAST_PASSES = 2  # epochs that repeat the one before


def _passes(known: float, random: bool = True) -> tuple[DataPass, ...]:
    return tuple(
        whole_pass(number, shuffled=True, random=random, known=known if number else 0.0) for number in range(3)
    )


class AugmentationRepeats(Detector):
    """Samples are changed at random, and come out the same in every epoch.

    ## What it finds
    Data sets whose code draws random numbers, while every epoch gives the very same samples, value for value.

    ## Why it hurts
    The augmentation adds nothing: the model sees one fixed version of each sample. Mostly random numbers are drawn
    once, when the data set is made, results are cached, or the seed is set again for each epoch or each worker.

    ## How it decides
    A warning where the code that makes a sample names a source of random numbers, and three epochs in a row consist
    of samples that were there before.

    ## Known problems
    Code that also draws random numbers for something else, such as the second sample of a pair, is reported by mistake
    where the sample is the first of the pair.

    ## References
    "Using PyTorch + NumPy? You're making a mistake" (2021); ``tf.data.Dataset.cache``.
    """

    name = "augmentation-repeats"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (sketch(passes=_passes(1.0)), sketch(passes=_passes(0.99)))
    healthy = (
        sketch(passes=_passes(0.0)),
        sketch(passes=_passes(0.5)),
        sketch(passes=_passes(1.0, random=False)),
        sketch(passes=_passes(1.0)[:2]),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for passes in sources(recording):
            later = [item for item in passes[1:] if item.random and item.looked >= LEAST_SAMPLES and item.complete]
            same = [item for item in later if (item.known or 0.0) >= _SAME]
            if len(same) >= _LEAST_PASSES and len(same) == len(later):
                yield self.symptom(
                    f"Samples are made with random numbers, but {len(same) + 1} epochs had exactly the same ones.",
                    step=same[0].step,
                    site=same[0].site,
                    epochs=len(same) + 1,
                    known_share=same[0].known,
                )
