"""Standings: a bug is active only when every run of both twins answered as it should."""

from __future__ import annotations

import math

import pytest
from recorded_runs import trial_of

from bugloss.core.bug import OracleKind, Twin
from bugloss.core.judgement import Grade, Standing
from bugloss.core.trial import Trial
from bugloss.verify.stability import stability

B, F = Twin.BUGGY, Twin.FIXED


def trials(buggy: list[Grade], fixed: list[Grade]) -> list[Trial]:
    twins = ((B, buggy), (F, fixed))
    return [trial_of(twin, grade, seed=seed) for twin, grades in twins for seed, grade in enumerate(grades)]


def test_five_failures_and_five_passes_make_an_active_bug() -> None:
    found = stability(trials([Grade.FAIL] * 5, [Grade.PASS] * 5))
    assert (found.standing, found.buggy, found.fixed) == (Standing.ACTIVE, "5/5 fail", "5/5 pass")
    assert found.reason is None


@pytest.mark.parametrize(
    ("buggy", "fixed", "standing", "reason"),
    [
        ([Grade.PASS] * 2, [Grade.PASS] * 2, Standing.BROKEN, "buggy: because it is pass"),
        ([Grade.FAIL] * 2, [Grade.FAIL] * 2, Standing.BROKEN, "fixed: because it is fail"),
        ([Grade.STRANGE] * 2, [Grade.PASS] * 2, Standing.BROKEN, "buggy: because it is strange"),
        ([Grade.UNDECIDED] * 2, [Grade.PASS] * 2, Standing.BROKEN, "buggy: because it is undecided"),
        ([Grade.FAIL, Grade.PASS], [Grade.PASS] * 2, Standing.FLAKY, "buggy: because it is pass"),
        ([Grade.FAIL] * 2, [Grade.PASS, Grade.UNDECIDED], Standing.FLAKY, "fixed: because it is undecided"),
        ([Grade.FAIL, Grade.NOT_RUN], [Grade.PASS] * 2, Standing.NOT_RUN, "buggy: because it is not-run"),
        ([Grade.PASS, Grade.PASS], [Grade.NOT_RUN] * 2, Standing.NOT_RUN, "fixed: because it is not-run"),
    ],
)
def test_any_other_answer_has_its_own_standing_and_the_reason(
    buggy: list[Grade], fixed: list[Grade], standing: Standing, reason: str
) -> None:
    found = stability(trials(buggy, fixed))
    assert (found.standing, found.reason) == (standing, reason)


def test_nothing_run_is_not_run() -> None:
    found = stability([])
    assert (found.standing, found.buggy, found.fixed) == (Standing.NOT_RUN, "0/0", "0/0")


@pytest.mark.parametrize(("buggy", "fixed", "missing"), [([Grade.FAIL], [], "fixed"), ([], [Grade.PASS], "buggy")])
def test_a_twin_that_never_ran_does_not_count_as_well_behaved(
    buggy: list[Grade], fixed: list[Grade], missing: str
) -> None:
    """An interrupted verification, judged anew, called bugs active whose fixed twin had not been started."""
    found = stability(trials(buggy, fixed))
    assert found.standing is Standing.NOT_RUN
    assert found.reason == f"{missing}: nothing was run"


def test_the_tally_puts_the_commonest_answer_first() -> None:
    found = stability(trials([Grade.PASS, *[Grade.FAIL] * 3], [Grade.PASS]))
    assert (found.buggy, found.fixed) == ("3/4 fail, 1/4 pass", "1/1 pass")


def symptom(twin: Twin, grade: Grade, *values: object, healthy: str = "at least") -> Trial:
    return trial_of(twin, grade, kind=OracleKind.SYMPTOM, values=values, healthy=healthy)


def test_a_symptom_also_compares_the_measurements_of_the_twins() -> None:
    found = stability([symptom(B, Grade.FAIL, 0.1, 0.2, 0.3), symptom(F, Grade.PASS, 0.8, 0.9, 1.0)])
    assert found.comparison["a12"] == 1.0
    assert found.comparison["p_value"] == pytest.approx(0.0808556, abs=1e-7)


@pytest.mark.parametrize("nothing", [math.nan, None, "n/a"])
@pytest.mark.parametrize(("healthy", "good", "a12"), [("at least", 0.9, 1.0), ("at most", 0.1, 1.0)])
def test_a_measurement_that_is_no_number_counts_as_the_worst(
    nothing: object, healthy: str, good: float, a12: float
) -> None:
    buggy = symptom(B, Grade.FAIL, *[nothing] * 3, healthy=healthy)
    fixed = symptom(F, Grade.PASS, *[good] * 3, healthy=healthy)
    assert stability([buggy, fixed]).comparison["a12"] == a12


def test_other_oracles_and_single_measurements_are_not_compared() -> None:
    assert stability(trials([Grade.FAIL], [Grade.PASS])).comparison == {}
    assert stability([symptom(B, Grade.FAIL, 0.1), symptom(F, Grade.PASS, 0.9)]).comparison == {}
