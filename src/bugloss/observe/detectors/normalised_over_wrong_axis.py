"""normalised-over-wrong-axis."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import is_number, kept
from bugloss.observe.inputs import brings_to_scale
from bugloss.observe.recording import Recording, SampleFacts
from bugloss.observe.sketch import sketch

_EXACT = 1e-3  # what rounding to single precision, and an epsilon in the division, leave of 0 and 1
_WHOLE = 0.1  # a sample of some hundred rows has mean and deviation of the whole to a tenth
_UNLIKE = 20.0  # times: features of one table that were each brought to scale differ by a few times at most
_UNLIKE_BY_ROW = 4.0  # times: dividing rows by their deviation also brings columns nearer to each other
_TABLE = 32  # columns: longer rows are spectra or embeddings, which are brought to scale row by row on purpose


def _kept(**numbers: float) -> tuple[SampleFacts, ...]:
    plain = {"row_mean": 0.9, "row_deviation": 0.7, "whole_mean": 0.0, "whole_deviation": 1.0, "unlike": 1.5}
    return (SampleFacts("train", 400, (8,), **{**plain, **numbers}),)  # type: ignore[arg-type]


class NormalisedOverWrongAxis(Detector):
    """Inputs were normalised, but not feature by feature.

    ## What it finds
    Tables of features in which every sample, or the table as a whole, has mean 0 and deviation 1, while single features
    still have very different scales.

    ## Why it hurts
    A mean over all columns, or over a row, mixes quantities that have nothing to do with each other. The largest column
    decides, and the small ones hardly count.

    ## How it decides
    A warning where mean and deviation are 0 and 1 for each row of at most 32 columns and the deviations of columns
    still differ by a factor of four, or 0 and 1 for all values together and they differ by a factor of twenty. Models
    that begin with a norm layer are left alone.

    ## Known problems
    Spectra and embeddings are normalised by sample on purpose; their features have similar scales, and are not accused.

    ## References
    ``sklearn.preprocessing.StandardScaler``; ``axis`` of ``numpy.mean``.
    """

    name = "normalised-over-wrong-axis"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(kept=_kept(row_mean=1e-6, row_deviation=1e-6, unlike=300.0)),
        sketch(kept=_kept(unlike=1000.0)),
    )
    healthy = (
        sketch(kept=_kept()),
        sketch(kept=_kept(row_mean=1e-6, row_deviation=1e-6)),
        sketch(kept=_kept(whole_mean=40.0, whole_deviation=300.0, unlike=1000.0)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        samples = kept(recording, "train")
        if samples is None or not samples.shape or not is_number(samples.unlike) or brings_to_scale(recording):
            return
        unlike = samples.unlike or 0.0
        by_row = _is_standard(samples.row_mean, samples.row_deviation, 0.0, _EXACT) and samples.shape[-1] <= _TABLE
        by_whole = _is_standard(samples.whole_mean, samples.whole_deviation, 1.0, _WHOLE)
        if (by_row and unlike >= _UNLIKE_BY_ROW) or (by_whole and unlike >= _UNLIKE):
            what = "Each sample has" if by_row else "All values together have"
            yield self.symptom(
                f"{what} mean 0 and deviation 1, but the deviations of the features differ {unlike:.0f} times.",
                site=samples.site,
                unlike=unlike,
            )


def _is_standard(mean: float | None, deviation: float | None, wanted: float, slack: float) -> bool:
    return mean is not None and deviation is not None and abs(mean) <= slack and abs(deviation - wanted) <= slack
