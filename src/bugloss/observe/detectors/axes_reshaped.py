"""axes-reshaped."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import is_number, kept
from bugloss.observe.recording import Recording, SampleFacts
from bugloss.observe.sketch import sketch

_SMOOTHER = 0.7  # of the difference between neighbours: noise without any smoothness gives 1


def _kept(given: tuple[float, ...], turned: tuple[float, ...]) -> tuple[SampleFacts, ...]:
    return (SampleFacts("train", 100, (3, 32, 32), roughness=given, roughness_turned=turned),)


class AxesReshaped(Detector):
    """Images were reshaped where their axes should have changed places.

    ## What it finds
    Images with channels that are smooth only when their values are read with the channel axis at the other end.

    ## Why it hurts
    A reshape keeps the order of the values: what the network takes for a row of one channel are pixels of all channels.
    It still learns something, far less than it could, and the shapes are right.

    ## How it decides
    Neighbouring pixels of images are similar. Where they differ by a third less in both directions once channels are
    read last instead of first (or first instead of last), it is a warning.

    ## Known problems
    Images without smooth regions, and grey images in three equal channels, cannot be judged.

    ## References
    ``torch.permute`` and ``torch.reshape``; ``numpy.transpose``.
    """

    name = "axes-reshaped"
    severity = Severity.WARNING
    category = Category.TENSOR
    faulty = (
        sketch(kept=_kept((0.3, 0.25), (0.1, 0.1))),
        sketch(kept=_kept((0.3, 0.25), (0.2, 0.15))),
    )
    healthy = (
        sketch(kept=_kept((0.1, 0.1), (0.3, 0.25))),
        sketch(kept=_kept((0.3, 0.3), (0.3, 0.3))),
        sketch(kept=_kept((0.3, 0.3), (0.1, 0.4))),
        sketch(kept=_kept((), ())),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        samples = kept(recording, "train")
        if samples is None or not samples.roughness or len(samples.roughness) != len(samples.roughness_turned):
            return
        pairs = list(zip(samples.roughness, samples.roughness_turned, strict=True))
        if all(is_number(given) and is_number(turned) and 0 < turned <= _SMOOTHER * given for given, turned in pairs):
            yield self.symptom(
                f"Neighbouring pixels differ by {max(samples.roughness):.3g}; with the channel axis at the other end, "
                f"by {max(samples.roughness_turned):.3g}.",
                site=samples.site,
                as_given=list(samples.roughness),
                axes_turned=list(samples.roughness_turned),
            )
