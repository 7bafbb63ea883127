"""What a program does that raises no error: which words of a report name it, and which figures show it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import pairwise

from bugloss.reproduce.expected.figures import Figures, is_finite, relative_drop, windows
from bugloss.reproduce.words import rows, spelled_out


class SymptomKind(Enum):
    """A way of going wrong without an error."""

    NAN = "loss-nan"
    DIVERGES = "loss-diverges"
    FLAT = "loss-flat"
    CHANCE = "accuracy-at-chance"
    CONSTANT = "constant-prediction"
    ZERO = "loss-zero"
    NEGATIVE = "loss-negative"
    OVERFITS = "overfitting"
    RANGE = "answers-out-of-range"
    SLOW = "slow"
    MEMORY = "memory-grows"

    @property
    def is_cost(self) -> bool:
        """Time and memory: nothing that figures of training could show."""
        return self.family in {"time", "memory"}

    @property
    def needs_control(self) -> bool:
        """Whether it may be the data's or the measurement's doing, so that a plain network must be tried beside it."""
        return self.may_be_the_datas or self.is_cost

    @property
    def may_be_the_datas(self) -> bool:
        """Nothing can be learned from noise: with data of that kind the symptom says nothing about the program."""
        return self.family in {"learning", "generalization"} and self not in {SymptomKind.ZERO, SymptomKind.NEGATIVE}

    @property
    def family(self) -> str:
        """Kinds of one family are often two views of one fault."""
        return _FAMILIES[self.value]


_FAMILIES = {
    "loss-nan": "numbers",
    "loss-diverges": "numbers",
    "loss-flat": "learning",
    "accuracy-at-chance": "learning",
    "constant-prediction": "learning",
    "loss-zero": "learning",
    "loss-negative": "learning",
    "overfitting": "generalization",
    "answers-out-of-range": "range",
    "slow": "time",
    "memory-grows": "memory",
}

_LEAST_GROWTH = 8.0  # MB
_IN_SENTENCE = r"(?:[^.\n]|(?<=\d)\.(?=\d))"


@cache
def _words() -> tuple[tuple[SymptomKind, re.Pattern[str]], ...]:
    # A sentence does not end at the point of a number: "the loss is 13.97 and does not get better".
    return tuple(
        (SymptomKind(name), re.compile(spelled_out(pattern).replace(r"[^.\n]", _IN_SENTENCE), re.IGNORECASE))
        for name, pattern in rows("symptoms", 2)
    )


@dataclass(frozen=True, slots=True)
class SymptomMention:
    """Words that name a symptom."""

    kind: SymptomKind
    start: int
    end: int


def mentions(text: str) -> Iterator[SymptomMention]:
    """Where a text names symptoms."""
    for kind, pattern in _words():
        for found in pattern.finditer(text):
            yield SymptomMention(kind, found.start(), found.end())


@dataclass(frozen=True, slots=True)
class Sight:
    """Whether figures show a symptom; None where they are not sufficient. ``words`` says by which numbers."""

    shown: bool | None
    words: str = ""


_UNSEEN = Sight(None)


def looks_like(kind: SymptomKind, figures: Figures, reported: Figures | None = None) -> Sight:
    """Whether figures show a symptom; those of the report say how strong it must be."""
    return _TESTS[kind](figures, reported or Figures())


def _nan(figures: Figures, reported: Figures) -> Sight:
    losses = figures.losses + figures.held_out_losses
    if not losses:
        return _UNSEEN
    bad = sum(not is_finite((value,)) for value in losses)
    return Sight(bad > 0, f"{bad} of {len(losses)} printed losses are NaN or infinite")


def _diverges(figures: Figures, reported: Figures) -> Sight:
    losses = figures.losses
    if losses and not is_finite(losses):
        return Sight(True, "the loss becomes NaN or infinite")
    if len(losses) < 3:
        return _UNSEEN
    means = windows(losses)
    lowest, last = min(means), means[-1]
    # Noise near zero is no divergence: the loss must come back to where it began.
    grown = last > 1.3 * lowest + 1e-6 and last > 0.7 * means[0] and means.index(lowest) < len(means) - 1
    return Sight(grown, f"the loss ends at {last:.4g} after a low of {lowest:.4g}")


def _flat(figures: Figures, reported: Figures) -> Sight:
    losses = figures.losses
    if len(losses) < 3 or not is_finite(losses):
        return _UNSEEN if is_finite(losses) else Sight(False, "the loss is NaN or infinite")
    allowed = 0.05
    if len(reported.losses) >= 2 and is_finite(reported.losses):
        allowed = min(max(allowed, 1.5 * abs(relative_drop(reported.losses))), 0.6)
    drop, plateau = relative_drop(losses), reported.of("plateau")
    there = bool(plateau) and 0.8 * plateau[0] <= losses[-1] <= 1.25 * plateau[0] and drop < 0.4
    return Sight(drop < allowed or there, f"the loss goes from {losses[0]:.4g} to {losses[-1]:.4g}, {drop:.1%} lower")


def _chance(figures: Figures, reported: Figures) -> Sight:
    stated_held = reported.of("val_accuracy")
    held = figures.of("val_accuracy")
    accuracies = held if held and (stated_held or not figures.accuracies) else figures.accuracies
    if not accuracies:
        return _UNSEEN
    stated = (stated_held if accuracies is held else ()) or reported.of("accuracy") or stated_held
    allowed = min(stated[-1] + 0.12, 0.75) if stated else 0.6
    last = sum(accuracies[-8:]) / len(accuracies[-8:])
    return Sight(last <= allowed, f"accuracy ends at {last:.3f}")


def _constant(figures: Figures, reported: Figures) -> Sight:
    shares, spreads = figures.of("share of answers"), figures.of("spread of answers")
    if shares:
        return Sight(shares[-1] > 0.97, f"{shares[-1]:.0%} of the predictions are the same")
    if spreads:
        return Sight(
            spreads[-1] < 0.05,
            (f"the standard deviation of the predictions is {spreads[-1]:.3g} of that of the targets"),
        )
    return _UNSEEN


def _zero(figures: Figures, reported: Figures) -> Sight:
    losses = figures.losses
    return Sight(all(abs(loss) < 1e-6 for loss in losses), f"the loss is {losses[-1]:.4g}") if losses else _UNSEEN


def _negative(figures: Figures, reported: Figures) -> Sight:
    losses = figures.losses
    return Sight(losses[-1] < 0, f"the loss is {losses[-1]:.4g}") if losses else _UNSEEN


def _overfits(figures: Figures, reported: Figures) -> Sight:
    train, held = figures.accuracies, figures.of("val_accuracy")
    losses, held_losses = figures.losses, figures.held_out_losses
    if train and held:
        gap = train[-1] - held[-1]
        if gap > 0.2:
            return Sight(True, f"accuracy {train[-1]:.3f} in training, {held[-1]:.3f} on validation data")
    if held and losses and not train and is_finite(losses) and relative_drop(losses) > 0.5 and held[-1] < 0.65:
        return Sight(True, f"the loss falls to {losses[-1]:.4g}, accuracy on validation data is {held[-1]:.3f}")
    if losses and held_losses:
        worse = held_losses[-1] > 1.3 * abs(losses[-1]) + 0.05
        rising = len(held_losses) > 2 and held_losses[-1] > 1.15 * min(held_losses)
        return Sight(
            worse and (rising or held_losses[-1] > 2 * abs(losses[-1])),
            f"loss {losses[-1]:.4g} in training, {held_losses[-1]:.4g} on validation data",
        )
    return Sight(False, "training and validation results agree") if train and held else _UNSEEN


def _range(figures: Figures, reported: Figures) -> Sight:
    """Shares and probabilities lie between 0 and 1."""
    seen = (*figures.of("range of answers"), *figures.accuracies, *figures.of("val_accuracy"))
    outside = [value for value in seen if not -1e-6 <= value <= 1 + 1e-6]
    return (
        Sight(bool(outside), f"{len(outside)} of {len(seen)} printed shares are not between 0 and 1")
        if seen
        else _UNSEEN
    )


def _memory(figures: Figures, reported: Figures) -> Sight:
    """Memory that goes on growing once the program is under way: the first third is given to caches and buffers."""
    used = figures.of("memory in use")
    later = used[len(used) // 3 :]
    if len(later) < 5:
        return _UNSEEN
    steps = [after - before for before, after in pairwise(later)]
    grown, steady = later[-1] - later[0], sum(step > 0 for step in steps) / len(steps)
    words = f"memory grows by {grown:.0f} MB over {len(steps)} iterations, in {steady:.0%} of them"
    return Sight(grown > max(_LEAST_GROWTH, 0.02 * later[0]) and steady >= 0.7, words)


def _not_shown(figures: Figures, reported: Figures) -> Sight:
    return _UNSEEN


_TESTS: dict[SymptomKind, Callable[[Figures, Figures], Sight]] = {
    SymptomKind.NAN: _nan,
    SymptomKind.DIVERGES: _diverges,
    SymptomKind.FLAT: _flat,
    SymptomKind.CHANCE: _chance,
    SymptomKind.CONSTANT: _constant,
    SymptomKind.ZERO: _zero,
    SymptomKind.NEGATIVE: _negative,
    SymptomKind.OVERFITS: _overfits,
    SymptomKind.RANGE: _range,
    SymptomKind.SLOW: _not_shown,
    SymptomKind.MEMORY: _memory,
}
