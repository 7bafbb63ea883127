"""How good weights are on programs that had no part in fitting them: ranks, log loss, and how true confidences are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bugloss.observe.arbiter import LEAST_LOG_ODDS, confidences
from weighing.fitting import Weights, fit, odds_of
from weighing.material import RecordedProgram

PULLS = (0.3, 1.0, 3.0, 10.0, 30.0)  # from nearly free to nearly by hand
INNER_FOLDS = 3
SLOPES = tuple(at / 20 for at in range(4, 61))  # 0.2 to 3
SHARPEST = 1.0  # the programs were known when detectors were written, and look easier than those of strangers
BINS = 5
_EDGES = tuple(at / BINS for at in range(1, BINS))

Learn = Callable[[Sequence[RecordedProgram]], Weights]
Shown = tuple[float, bool]  # the confidence of a cause, and whether it is right


@dataclass(frozen=True, slots=True)
class Judged:
    """A program with the log-odds of its candidates, by weights that did not see it."""

    program: RecordedProgram
    odds: dict[str, float]

    @property
    def named(self) -> list[str]:
        """The causes that a diagnosis would name, the likeliest first."""
        likely = [fault for fault, odds in self.odds.items() if odds >= LEAST_LOG_ODDS]
        return sorted(likely, key=lambda fault: -self.odds[fault])

    @property
    def rank(self) -> int | None:
        """Where the first accepted cause stands."""
        ranks = (rank for rank, fault in enumerate(self.named, start=1) if fault in self.program.accepted)
        return next(ranks, None)

    @property
    def loss(self) -> float:
        """Minus the log of the probability of the accepted causes among all and "none of them"."""
        powers = {fault: math.exp(odds) for fault, odds in self.odds.items()}
        right = [power for fault, power in powers.items() if fault in self.program.accepted] or [1.0]
        return -math.log(sum(right) / (1 + sum(powers.values())))

    @property
    def pairs(self) -> list[tuple[float, bool]]:
        """The log-odds of every named cause, and whether it is right."""
        return [(self.odds[fault], fault in self.program.accepted) for fault in self.named]


def judge(programs: Sequence[RecordedProgram], weights: Weights) -> list[Judged]:
    return [Judged(program, odds_of(program, weights)) for program in programs]


def leave_out(programs: Sequence[RecordedProgram], teach: Learn) -> list[Judged]:
    """Each group judged by weights that were learned without it."""
    found = []
    for group in dict.fromkeys(program.group for program in programs):
        rest = [program for program in programs if program.group != group]
        found += judge([program for program in programs if program.group == group], teach(rest))
    return found


def choose_pull(programs: Sequence[RecordedProgram], hand: Weights) -> float:
    """How strongly weights are held to those given by hand: what does best on folds of groups that were left out."""
    return min(PULLS, key=lambda pull: sum(judged.loss for judged in _folds(programs, hand, pull)))


def learn(programs: Sequence[RecordedProgram], hand: Weights) -> Weights:
    """Weights fitted with a pull that these programs choose themselves."""
    return fit(programs, hand, choose_pull(programs, hand))


def _folds(programs: Sequence[RecordedProgram], hand: Weights, pull: float) -> Iterator[Judged]:
    groups = list(dict.fromkeys(program.group for program in programs))
    for fold in range(INNER_FOLDS):
        out = set(groups[fold::INNER_FOLDS])
        weights = fit([program for program in programs if program.group not in out], hand, pull)
        yield from judge([program for program in programs if program.group in out], weights)


def fit_slope(judged: Sequence[Judged]) -> float:
    """How sharply confidences should follow log-odds: what makes those that are shown truest, by their log loss."""
    return min(SLOPES, key=lambda slope: confidence_loss([pair for one in judged for pair in shown_shared(one, slope)]))


def slopes_of_others(judged: Sequence[Judged]) -> dict[str, float]:
    """For each group the slope that the other groups ask for."""
    groups = dict.fromkeys(one.program.group for one in judged)
    return {group: fit_slope([one for one in judged if one.program.group != group]) for group in groups}


def shown_apart(one: Judged) -> list[Shown]:
    """Confidences of causes that do not know of each other: the logistic function of the log-odds."""
    return [(1 / (1 + math.exp(-odds)), right) for odds, right in one.pairs]


def shown_shared(one: Judged, slope: float) -> list[Shown]:
    """Confidences as the arbiter shows them."""
    sure = dict(zip(one.odds, confidences(list(one.odds.values()), slope), strict=True))
    return [(sure[fault], fault in one.program.accepted) for fault in one.named]


def summarise(judged: Sequence[Judged], show: Callable[[Judged], list[Shown]]) -> dict[str, object]:
    """Ranks, log loss, and how true the confidences are that are shown."""
    shown = [pair for one in judged for pair in show(one)]
    return {
        "programs": len(judged),
        "rank 1": sum(one.rank == 1 for one in judged),
        "rank 3": sum(one.rank is not None and one.rank <= 3 for one in judged),
        "log loss": round(mean_loss(judged), 4),
        "causes named": len(shown),
        "log loss of confidences": round(confidence_loss(shown), 4),
        "calibration error": round(calibration_error(shown), 4),
        "calibration curve": list(curve(shown)),
    }


def mean_loss(judged: Sequence[Judged]) -> float:
    return sum(one.loss for one in judged) / len(judged)


def confidence_loss(shown: Sequence[Shown]) -> float:
    """The mean of minus the log of the confidence in what is true."""
    return sum(_binary_loss(*pair) for pair in shown) / len(shown)


def _binary_loss(confidence: float, right: bool) -> float:
    return -math.log(max(confidence if right else 1 - confidence, 1e-6))


def curve(shown: Sequence[Shown]) -> Iterator[dict[str, float]]:
    """Bins of confidence: how many causes, how sure in the mean, how many of them right."""
    for at in range(BINS):
        inside = [one for one in shown if _bin(one[0]) == at]
        if inside:
            yield {
                "from": at / BINS,
                "causes": len(inside),
                "mean confidence": round(sum(confidence for confidence, _ in inside) / len(inside), 3),
                "share right": round(sum(right for _, right in inside) / len(inside), 3),
            }


def calibration_error(shown: Sequence[Shown]) -> float:
    """The mean distance between how sure and how often right, over the bins, by the causes in them."""
    distances = (one["causes"] * abs(one["mean confidence"] - one["share right"]) for one in curve(shown))
    return sum(distances) / len(shown)


def _bin(confidence: float) -> int:
    return sum(confidence >= edge for edge in _EDGES)
