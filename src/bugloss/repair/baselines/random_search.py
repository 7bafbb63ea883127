"""Random search: the settings of a program, changed at random. A repair that helps no more than this is luck."""

from __future__ import annotations

import random
from collections.abc import Sequence

from bugloss.core.edit import Edit
from bugloss.core.finding import Safety
from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.baselines.knobs import Knob, KnobKind, knobs, named_like
from bugloss.repair.case import RepairCase

PATTERN_OF = {
    KnobKind.RATE: FixPattern.OPTIMIZER,
    KnobKind.OPTIMIZER: FixPattern.OPTIMIZER,
    KnobKind.BATCH: FixPattern.ITERATIONS,
    KnobKind.EPOCHS: FixPattern.ITERATIONS,
    KnobKind.PENALTY: FixPattern.REGULARIZATION,
    KnobKind.ACTIVATION: FixPattern.ACTIVATION,
}
_FACTORS = {  # what a person would try: decades of rates, powers of two of sizes
    KnobKind.RATE: (0.001, 0.01, 0.1, 10.0, 100.0),
    KnobKind.BATCH: (0.25, 0.5, 2.0, 4.0),
    KnobKind.EPOCHS: (0.5, 2.0, 4.0),
    KnobKind.PENALTY: (0.01, 0.1, 10.0),
}
_NAMES = {
    KnobKind.OPTIMIZER: ("SGD", "Adam", "RMSprop", "Adagrad"),
    KnobKind.ACTIVATION: ("ReLU", "Tanh", "Sigmoid", "ELU"),
}
_MOST = 12


def random_changes(case: RepairCase, seed: int = 0, most: int = _MOST) -> Sequence[Patch]:
    """So many different random changes of one setting each."""
    draw = random.Random(f"{seed} {case.script}")
    every = [(knob, edit) for knob in knobs(case.project) for edit in _turns(knob)]
    return [_patch(knob, edit) for knob, edit in draw.sample(every, min(most, len(every)))]


def _turns(knob: Knob) -> list[Edit]:
    if knob.kind in _FACTORS:
        edits = [knob.scaled(factor) for factor in _FACTORS[knob.kind]]
    else:
        edits = [knob.turned(name) for name in named_like(knob, _NAMES[knob.kind])]
    return [edit for edit in edits if edit is not None]


def _patch(knob: Knob, edit: Edit) -> Patch:
    return Patch(edit, PATTERN_OF[knob.kind], 0.5, Safety.SUGGESTED, "a random change", "random-search")
