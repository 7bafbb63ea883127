"""How good weights are on programs that had no part in fitting them: ranks, log loss, and how true confidences are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bugloss.observe.arbiter import LEAST_LOG_ODDS
from weighing.fitting import Weights, calibrate, fit, odds_of
from weighing.material import RecordedProgram

PULLS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)  # from nearly free to nearly by hand
INNER_FOLDS = 5
BINS = 5
_EDGES = tuple(at / BINS for at in range(1, BINS))

Fit = Callable[[Sequence[RecordedProgram]], Weights]
Calibration = tuple[float, float]
AS_IT_IS: Calibration = (1.0, 0.0)


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
        highest = max(0.0, *self.odds.values()) if self.odds else 0.0
        total = math.exp(-highest) + sum(math.exp(odds - highest) for odds in self.odds.values())
        right = [odds for fault, odds in self.odds.items() if fault in self.program.accepted] or [0.0]
        return -math.log(sum(math.exp(odds - highest) for odds in right) / total)

    @property
    def pairs(self) -> list[tuple[float, bool]]:
        """The log-odds of every named cause, and whether it is right."""
        return [(self.odds[fault], fault in self.program.accepted) for fault in self.named]


def judge(programs: Sequence[RecordedProgram], weights: Weights) -> list[Judged]:
    return [Judged(program, odds_of(program, weights)) for program in programs]


def leave_out(programs: Sequence[RecordedProgram], learn: Fit) -> list[Judged]:
    """Each group judged by weights that were learned without it."""
    found = []
    for group in dict.fromkeys(program.group for program in programs):
        rest = [program for program in programs if program.group != group]
        found += judge([program for program in programs if program.group == group], learn(rest))
    return found


def choose_pull(programs: Sequence[RecordedProgram], hand: Weights) -> float:
    """How strongly weights are held to those given by hand: what does best on folds of groups that were left out."""
    return min(PULLS, key=lambda pull: sum(judged.loss for judged in _folds(programs, hand, pull)))


def _folds(programs: Sequence[RecordedProgram], hand: Weights, pull: float) -> Iterator[Judged]:
    groups = list(dict.fromkeys(program.group for program in programs))
    for fold in range(INNER_FOLDS):
        out = set(groups[fold::INNER_FOLDS])
        weights = fit([program for program in programs if program.group not in out], hand, pull)
        yield from judge([program for program in programs if program.group in out], weights)


def calibrations(judged: Sequence[Judged]) -> dict[str, Calibration]:
    """For each group the calibration that the others give."""
    groups = dict.fromkeys(one.program.group for one in judged)
    return {
        group: calibrate([pair for one in judged if one.program.group != group for pair in one.pairs])
        for group in groups
    }


def summarise(judged: Sequence[Judged], calibrated: dict[str, Calibration] | None = None) -> dict[str, object]:
    """The figures of a table; confidences as they are shown, by the calibration of each group where one is given."""
    chosen = calibrated or {}
    shown = [
        (1 / (1 + math.exp(-(slope * odds + offset))), right)
        for one in judged
        for slope, offset in (chosen.get(one.program.group, AS_IT_IS),)
        for odds, right in one.pairs
    ]
    return {
        "programs": len(judged),
        "rank 1": sum(one.rank == 1 for one in judged),
        "rank 3": sum(one.rank is not None and one.rank <= 3 for one in judged),
        "log loss": round(sum(one.loss for one in judged) / len(judged), 4),
        "causes named": len(shown),
        "log loss of confidences": round(sum(_binary_loss(*one) for one in shown) / len(shown), 4),
        "calibration error": round(calibration_error(shown), 4),
        "calibration curve": list(curve(shown)),
    }


def _binary_loss(confidence: float, right: bool) -> float:
    return -math.log(max(confidence if right else 1 - confidence, 1e-6))


def curve(shown: Sequence[tuple[float, bool]]) -> Iterator[dict[str, float]]:
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


def calibration_error(shown: Sequence[tuple[float, bool]]) -> float:
    """The mean distance between how sure and how often right, over the bins, by the causes in them."""
    distances = (one["causes"] * abs(one["mean confidence"] - one["share right"]) for one in curve(shown))
    return sum(distances) / len(shown)


def _bin(confidence: float) -> int:
    return sum(confidence >= edge for edge in _EDGES)
