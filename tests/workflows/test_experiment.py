"""What an experiment decides from pairs of runs; the runs themselves are tried in the journeys."""

from __future__ import annotations

import math

import pytest

from bugloss.core.diagnosis import Cause
from bugloss.core.edit import Edit, Span, TextChange
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.recording import Recording
from bugloss.observe.sketch import sketch
from bugloss.workflows.experiment import TriedSeed, judge, measure

EDIT = Edit.of(TextChange("train.py", Span(3, 0, 3, 4), "1e-9", "0.01"))
CAUSE = Cause("learning-rate-too-low", FixPattern.OPTIMIZER, 0.6, "", "", symptoms=("loss-flat",))
BETTER, WORSE = TriedSeed(2.0, 0.5, silenced=True), TriedSeed(2.0, 2.1, silenced=False)


def test_a_change_that_fixes_every_pair_confirms_the_cause() -> None:
    confirmed = judge(CAUSE, EDIT, [BETTER] * 5)
    assert confirmed.confirmed
    assert confirmed.confidence >= 0.95
    assert "better for 5 of 5 seeds" in confirmed.evidence[-1]


@pytest.mark.parametrize("pairs", [[WORSE] * 5, [BETTER] * 4 + [WORSE], [TriedSeed(2.0, 0.5, silenced=False)] * 5])
def test_anything_less_does_not_confirm_it(pairs: list[TriedSeed]) -> None:
    judged = judge(CAUSE, EDIT, pairs)
    assert not judged.confirmed
    assert judged.confidence < CAUSE.confidence


def test_a_change_that_helps_sometimes_costs_less_confidence_than_one_that_never_does() -> None:
    sometimes, never = judge(CAUSE, EDIT, [BETTER] * 4 + [WORSE]), judge(CAUSE, EDIT, [WORSE] * 5)
    assert sometimes.confidence > never.confidence


def test_too_few_pairs_decide_nothing() -> None:
    judged = judge(CAUSE, EDIT, [BETTER, BETTER])
    assert not judged.confirmed
    assert judged.confidence == CAUSE.confidence
    assert "undecided" in judged.evidence[-1]


def test_a_run_that_becomes_finite_is_better_than_one_that_is_not() -> None:
    assert TriedSeed(math.nan, 1.0, silenced=True).better
    assert TriedSeed(math.inf, 1.0, silenced=True).better
    assert not TriedSeed(math.nan, math.nan, silenced=True).better
    assert not TriedSeed(1.0, math.nan, silenced=True).better


def test_the_measure_is_the_last_validation_loss_else_the_end_of_the_training_loss() -> None:
    assert measure(sketch(validation=[2.0, 1.0, 0.7])) == 0.7
    assert measure(sketch([5.0] * 90 + [1.0] * 10)) == 1.0
    assert measure(Recording()) == math.inf
