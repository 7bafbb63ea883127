"""What the name of a logged curve says: ``Loss/train``, ``val_acc``, ``eval/loss``, ``lr-Adam``, ``grad_norm``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

_WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|\d+|[A-Z]")
_LONGEST = 300  # characters of a name that are read

_TRAINING = frozenset({"train", "training", "trn", "tr", "fit"})
_VALIDATION = frozenset({"val", "valid", "validation", "eval", "evaluation", "dev"})
_TEST = frozenset({"test", "testing", "holdout"})
_PER_STEP = frozenset({"step", "steps", "batch", "iter", "iteration", "iterations"})
_PER_EPOCH = frozenset({"epoch", "epochs"})
# Words that say nothing about which of several losses or accuracies it is.
_FILLING = frozenset(
    {"mean", "avg", "average", "running", "metrics", "metric", "scalar", "scalars", "trainer", "global"}
)
_FILLING |= frozenset(
    {"the", "per", "vs", "of", "total", "overall", "current", "sparse", "categorical", "binary", "score"}
)


class LoggedQuantity(Enum):
    LOSS = "loss"
    ACCURACY = "accuracy"
    LEARNING_RATE = "learning rate"
    GRADIENT_NORM = "gradient norm"
    EPOCH = "epoch"


class Phase(Enum):
    TRAINING = "training"
    VALIDATION = "validation"
    TEST = "test"


class Grain(Enum):
    """How often there is a value, where the name says it."""

    STEP = "step"
    EPOCH = "epoch"
    UNKNOWN = ""


@dataclass(frozen=True, slots=True)
class CurveRole:
    """``specific`` are words that name one of several: ``box`` in ``train/box_loss``."""

    quantity: LoggedQuantity
    phase: Phase | None
    grain: Grain
    specific: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        phase = (
            f"{(self.phase or Phase.TRAINING).value} "
            if self.quantity in {LoggedQuantity.LOSS, LoggedQuantity.ACCURACY}
            else ""
        )
        return phase + self.quantity.value


@lru_cache(maxsize=4096)
def role_of(name: str) -> CurveRole | None:
    """What a curve of that name is; None where it is none that a diagnosis uses."""
    words = [word.casefold() for word in _WORD.findall(name[:_LONGEST])]
    known = frozenset(words)
    quantity, taken = _quantity(known)
    if quantity is None:
        return None
    rest = known - taken - _TRAINING - _VALIDATION - _TEST - _PER_STEP - _PER_EPOCH - _FILLING
    return CurveRole(quantity, _phase(known), _grain(known), tuple(sorted(rest)))


def _quantity(words: frozenset[str]) -> tuple[LoggedQuantity | None, frozenset[str]]:
    """The quantity and the words that say it."""
    for quantity, needed in (
        (LoggedQuantity.LEARNING_RATE, {"lr"}),
        (LoggedQuantity.LEARNING_RATE, {"learning", "rate"}),
        (LoggedQuantity.GRADIENT_NORM, {"grad", "norm"}),
        (LoggedQuantity.GRADIENT_NORM, {"gradient", "norm"}),
        (LoggedQuantity.LOSS, {"loss"}),
        (LoggedQuantity.LOSS, {"nll"}),
        (LoggedQuantity.ACCURACY, {"acc"}),
        (LoggedQuantity.ACCURACY, {"accuracy"}),
    ):
        if needed <= words:
            return quantity, frozenset(needed)
    only = words - _FILLING - _TRAINING
    return (LoggedQuantity.EPOCH, only) if only and only <= _PER_EPOCH else (None, frozenset())


def _phase(words: frozenset[str]) -> Phase | None:
    for phase, names in ((Phase.VALIDATION, _VALIDATION), (Phase.TEST, _TEST), (Phase.TRAINING, _TRAINING)):
        if words & names:
            return phase
    return None


def _grain(words: frozenset[str]) -> Grain:
    if words & _PER_STEP:
        return Grain.STEP
    return Grain.EPOCH if words & _PER_EPOCH else Grain.UNKNOWN
