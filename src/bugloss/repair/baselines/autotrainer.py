"""AutoTrainer's way, made again from its description: each of five training problems has a list of remedies.

Its alarms are those of our detectors that stand for the same problem; its remedies are those that can be written into a
program: another activation, optimizer, learning rate or batch size. They are tried in the order of its table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from bugloss.core.diagnosis import Symptom
from bugloss.core.edit import Edit
from bugloss.core.finding import Safety
from bugloss.core.patch import Patch
from bugloss.repair.baselines.knobs import Knob, KnobKind, knobs, named_like
from bugloss.repair.baselines.random_search import PATTERN_OF
from bugloss.repair.case import RepairCase

Remedy = tuple[KnobKind, Callable[[Knob], Edit | None]]


def _scaled(kind: KnobKind, factor: float) -> Remedy:
    return kind, lambda knob: knob.scaled(factor)


def _named(kind: KnobKind, name: str) -> Remedy:
    return kind, lambda knob: knob.turned(named_like(knob, (name,))[0])


_RELU, _LEAKY = _named(KnobKind.ACTIVATION, "ReLU"), _named(KnobKind.ACTIVATION, "ELU")
_ADAM, _SGD = _named(KnobKind.OPTIMIZER, "Adam"), _named(KnobKind.OPTIMIZER, "SGD")
_LOWER = tuple(_scaled(KnobKind.RATE, factor) for factor in (0.1, 0.01))
_HIGHER = tuple(_scaled(KnobKind.RATE, factor) for factor in (10.0, 100.0))
_BATCHES = tuple(_scaled(KnobKind.BATCH, factor) for factor in (2.0, 4.0))

# Words that the names of our symptoms of a problem contain, and its remedies in order.
_TABLE: tuple[tuple[tuple[str, ...], tuple[Remedy, ...]], ...] = (
    (("explod", "non-finite", "diverging", "too-high", "too-large"), (*_LOWER, _ADAM)),
    (("vanish", "saturat"), (_RELU, _ADAM)),
    (("dead", "dying"), (_LEAKY, *_LOWER)),
    (("oscillat", "noisy", "unstable"), (*_BATCHES, *_LOWER, _SGD)),
    (("flat", "slow", "chance", "not-learning", "improving", "underfit", "too-low"), (*_HIGHER, _ADAM)),
)

PROBLEMS = ("exploding gradient", "vanishing gradient", "dying ReLU", "oscillating loss", "slow convergence")


def autotrainer_changes(case: RepairCase) -> Sequence[Patch]:
    """The remedies of every problem that was seen, in the order of the table."""
    remedies = [row for _, row in _rows_seen(case.symptoms)]
    there = knobs(case.project)
    return list(chain.from_iterable(_patches(remedy, there) for remedy in dict.fromkeys(chain.from_iterable(remedies))))


def problems_seen(symptoms: Iterable[Symptom]) -> tuple[str, ...]:
    """Which of the five training problems these symptoms stand for."""
    seen = [words for words, _ in _rows_seen(symptoms)]
    return tuple(name for name, (words, _) in zip(PROBLEMS, _TABLE, strict=True) if words in seen)


def _rows_seen(symptoms: Iterable[Symptom]) -> list[tuple[tuple[str, ...], tuple[Remedy, ...]]]:
    seen = [symptom.name for symptom in symptoms if symptom.severity.rank > 0]
    return [row for row in _TABLE if any(word in name for name in seen for word in row[0])]


def _patches(remedy: Remedy, there: Sequence[Knob]) -> Iterator[Patch]:
    kind, turn = remedy
    for knob in there:
        edit = turn(knob) if knob.kind is kind else None
        if edit is not None:
            reason = f"AutoTrainer changes the {kind.value}"
            yield Patch(edit, PATTERN_OF[kind], 0.5, Safety.SUGGESTED, reason, "autotrainer")
