"""mean-beside-sum."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch

_KIND = "mean-beside-sum"


class MeanBesideSum(Detector):
    """One term of the loss is a mean over the values of a sample, a divergence beside it is a sum over them.

    ## What it finds
    Losses of variational autoencoders in which the reconstruction is averaged over all pixels and the divergence is
    added up over the latent variables.

    ## Why it hurts
    The divergence outweighs the reconstruction by the number of pixels: the code carries nothing, and all outputs
    become the mean of the data.

    ## How it decides
    Both terms are read from the graph of the loss with their constant factors. The mean has to run over 32 values of a
    sample or more, the sum to contain an exponential; a factor below 0.05 or above 8 counts as a weight on purpose.

    ## Known problems
    Terms that a function of its own gradient computes cannot be followed.

    ## References
    Kingma and Welling, "Auto-Encoding Variational Bayes" (2014).
    """

    name = "mean-beside-sum"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(occasions=(Occasion(_KIND, 0, facts={"averaged": 784, "added": 8}),)),
        sketch(occasions=(Occasion("compile", 0), Occasion(_KIND, 50, facts={"averaged": 144, "added": 2}))),
    )
    healthy = (sketch(occasions=(Occasion("compile", 0),)), sketch(occasions=()))

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        seen = next((item for item in recording.occasions if item.kind == _KIND), None)
        if seen is not None:
            averaged, added = seen.facts.get("averaged"), seen.facts.get("added")
            yield self.symptom(
                f"One term of the loss is a mean over the {averaged} values of a sample, the divergence beside it a "
                f"sum over {added}: the divergence outweighs it.",
                step=seen.step,
                site=seen.site,
                averaged=averaged,
                added=added,
            )
