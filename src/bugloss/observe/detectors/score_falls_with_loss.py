"""score-falls-with-loss."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from statistics import fmean

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import PrintedNumber, Recording
from bugloss.observe.sketch import sketch
from bugloss.observe.trends import finite

_SCORE = re.compile(r"\b(reward|return|returns|score|f1|auc|r2|bleu|iou|dice|psnr|ssim|elo|advantage)\b")
_LEAST_POINTS = 6  # fewer printed values have no trend
_FELL = 0.25  # of the range of all values, between the first and the last third: noise goes both ways
_ORDERED = 0.7  # of the steps from one value to the next go down


def _printed(values: Sequence[float], name: str = "mean return") -> tuple[PrintedNumber, ...]:
    return tuple(PrintedNumber(10 * place, name, value) for place, value in enumerate(values))


class ScoreFallsWithLoss(Detector):
    """A score that is to grow falls while the loss falls.

    ## What it finds
    Printed returns, rewards and scores that get worse and worse in a run whose loss goes down.

    ## Why it hurts
    The loss does not stand for what is wanted: a reward or an advantage has the wrong sign, or the loss is maximised
    where it should be minimised.

    ## How it decides
    Names are read from the printed words. Where the last third of six values or more lies below the first by a quarter
    of the whole range, most steps go down, and the loss ends below where it began, it is a warning. A loss
    with negative values, as of policy gradients, is not asked: it need not fall where a score rises.

    ## Known problems
    A score of which less is better, but which bears such a name, is misread.

    ## References
    Henderson et al., "Deep reinforcement learning that matters" (2018).
    """

    name = "score-falls-with-loss"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(printed=_printed([20.0, 18.0, 17.0, 15.0, 12.0, 11.0, 10.0, 9.0])),
        sketch(printed=_printed([0.8, 0.7, 0.72, 0.6, 0.5, 0.45, 0.4], "val f1")),
    )
    healthy = (
        sketch(printed=_printed([9.0, 10.0, 12.0, 15.0, 17.0, 20.0, 30.0])),
        sketch(printed=_printed([20.0, 18.0, 22.0, 19.0, 21.0, 18.0, 20.0])),
        sketch(printed=_printed([20.0, 18.0, 17.0, 15.0, 12.0, 11.0, 10.0], "val loss")),
        sketch(printed=_printed([20.0, 10.0])),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        losses = finite(recording.loss_values)
        third = len(losses) // 3
        surrogate = any(value < 0 for value in losses)  # such a loss need not fall while the score rises
        if not third or (not surrogate and fmean(losses[-third:]) >= fmean(losses[:third])):
            return
        named: dict[str, list[PrintedNumber]] = {}
        for item in recording.printed:
            if _SCORE.search(item.name):
                named.setdefault(item.name, []).append(item)
        for name, items in named.items():
            values = finite(item.value for item in items)
            if len(values) >= _LEAST_POINTS and _falls(values):
                yield self.symptom(
                    f"'{name}' falls from {values[0]:.4g} to {values[-1]:.4g} during training.",
                    step=items[-1].step,
                    site=items[0].site,
                    first=values[0],
                    last=values[-1],
                )
                return


def _falls(values: Sequence[float]) -> bool:
    third, reach = len(values) // 3, max(values) - min(values)
    down = sum(later < earlier for earlier, later in itertools.pairwise(values))
    fell = fmean(values[:third]) - fmean(values[-third:])
    return reach > 0 and fell >= _FELL * reach and down >= _ORDERED * (len(values) - 1)
