"""The judge: what each oracle makes of a recorded run, from its evidence alone."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_runs import SURVIVED, failed, raised, run_of

from bugloss.core.bug import Bound, BoundKind, Measurement, Oracle, OracleKind, Twin
from bugloss.core.judgement import Grade, Judgement
from bugloss.core.run import Outcome
from bugloss.core.trial import Trial
from bugloss.verify.judge import judge, regrade

CRASH = Oracle(OracleKind.EXCEPTION, "RuntimeError", "shapes (#x#) and (#x#) do not fit", "forward")
THE_CRASH = raised("RuntimeError", "shapes (3x4) and (5x6) do not fit", "main", "forward", "torch.linear")


def bounded(kind: OracleKind, repeats: int, bound: str = "at least", limit: object = 0.9) -> Oracle:
    return Oracle(kind, measurement=Measurement("accuracy", repeats, Bound(BoundKind(bound), limit)))


VALUE = bounded(OracleKind.VALUE, 1)
SYMPTOM = bounded(OracleKind.SYMPTOM, 6)


def cost_oracle(repeats: int = 1, ratio: float = 4.0) -> Oracle:
    return Oracle(OracleKind.COST, measurement=Measurement("seconds", repeats, ratio=ratio))


COST = cost_oracle()


def value(observed: object) -> dict[str, object]:
    return {"oracle": "value", "seed": 0, "value": observed}


def seeds(*observed: object) -> tuple[dict[str, object], ...]:
    return tuple({"oracle": "symptom", "seed": seed, "value": item} for seed, item in enumerate(observed))


def costs(*observed: object) -> tuple[dict[str, object], ...]:
    return tuple({"oracle": "cost", "seed": seed, "value": item} for seed, item in enumerate(observed))


class TestExceptionOracle:
    def test_the_documented_exception_is_a_failure(self) -> None:
        verdict = judge(CRASH, run_of(exception=THE_CRASH))
        assert verdict.grade is Grade.FAIL
        assert verdict.reason == "raised the documented RuntimeError: shapes (3x4) and (5x6) do not fit"

    def test_numbers_in_the_message_do_not_matter(self) -> None:
        other = replace(THE_CRASH, message="shapes (30x40) and (50x60) do not fit\nand more lines")
        assert judge(CRASH, run_of(exception=other)).grade is Grade.FAIL

    def test_the_class_may_be_named_by_a_base_or_by_its_qualified_name(self) -> None:
        error = raised("InvalidArgumentError", bases=("OpError", "Exception"))
        assert judge(Oracle(OracleKind.EXCEPTION, "OpError"), run_of(exception=error)).grade is Grade.FAIL
        qualified = Oracle(OracleKind.EXCEPTION, "builtins.InvalidArgumentError")
        assert judge(qualified, run_of(exception=error)).grade is Grade.FAIL

    @pytest.mark.parametrize(
        "other",
        [
            replace(THE_CRASH, kind="TypeError", qualified="builtins.TypeError"),
            replace(THE_CRASH, message="shapes (3x4) and (5x6) fit well"),
            replace(THE_CRASH, message=""),
            replace(THE_CRASH, frames=THE_CRASH.frames[:1]),
            replace(THE_CRASH, frames=()),
            replace(THE_CRASH, frames=raised("", "", "main", "torch.forward").frames),
            replace(THE_CRASH, frames=raised("", "", "main", "forward", "backward").frames),
        ],
        ids=["class", "message", "no message", "frame", "no frames", "a library's frame", "an outer frame"],
    )
    def test_an_exception_that_differs_is_strange_and_no_failure(self, other: object) -> None:
        verdict = judge(CRASH, run_of(exception=other))  # type: ignore[arg-type]
        assert verdict.grade is Grade.STRANGE
        assert "which the oracle does not describe" in verdict.reason

    def test_a_program_that_survives_passes(self) -> None:
        assert judge(CRASH, run_of(evidence=(SURVIVED,))) == Judgement(Grade.PASS, "ran to its end")

    def test_a_program_that_ends_without_evidence_did_not_pass(self) -> None:
        verdict = judge(CRASH, run_of())
        assert verdict.grade is Grade.STRANGE
        assert verdict.reason == "ended with exit code 0 and without the oracle's evidence"

    def test_evidence_of_another_oracle_is_none(self) -> None:
        assert judge(CRASH, run_of(evidence=(SURVIVED, value(1.0)))).grade is Grade.STRANGE

    def test_a_survivor_that_ends_with_an_error_code_did_not_pass(self) -> None:
        verdict = judge(CRASH, run_of(Outcome.EXITED, evidence=(SURVIVED,), exit_code=-11))
        assert verdict.grade is Grade.STRANGE
        assert "exit code -11" in verdict.reason

    def test_a_documented_memory_error_is_a_failure_though_memory_ran_out(self) -> None:
        oracle = Oracle(OracleKind.EXCEPTION, "MemoryError")
        run = run_of(Outcome.OUT_OF_MEMORY, exception=raised("MemoryError"), exit_code=1)
        assert judge(oracle, run).grade is Grade.FAIL

    def test_a_long_message_is_cut_in_the_reason(self) -> None:
        run = run_of(exception=raised("TypeError", "x" * 5000))
        assert len(judge(CRASH, run).reason) < 300


@pytest.mark.parametrize("oracle", [CRASH, VALUE, SYMPTOM, COST], ids=lambda oracle: oracle.kind.value)
class TestEveryOracle:
    @pytest.mark.parametrize(
        ("outcome", "code", "words"),
        [
            (Outcome.TIMED_OUT, None, "it exceeded the time limit of 60 s"),
            (Outcome.OUT_OF_MEMORY, 1, "it ran out of memory"),
            (Outcome.KILLED, -9, "it was killed (exit code -9)"),
            (Outcome.TOO_MUCH_EVIDENCE, 0, "its evidence exceeds the limit"),
        ],
    )
    def test_what_the_machine_did_is_neither_pass_nor_fail(
        self, oracle: Oracle, outcome: Outcome, code: int | None, words: str
    ) -> None:
        assert judge(oracle, run_of(outcome, exit_code=code)) == Judgement(Grade.NOT_RUN, words)

    def test_an_unforeseen_exception_is_strange(self, oracle: Oracle) -> None:
        verdict = judge(oracle, run_of(exception=raised("ImportError", "no module named x")), run_of())
        assert verdict.grade is Grade.STRANGE
        assert "ImportError: no module named x" in verdict.reason

    def test_no_evidence_is_strange(self, oracle: Oracle) -> None:
        assert judge(oracle, run_of(), run_of()).grade is Grade.STRANGE


class TestValueOracle:
    @pytest.mark.parametrize(
        ("observed", "bound", "grade"),
        [
            (0.9, ("at least", 0.9), Grade.PASS),
            (0.89, ("at least", 0.9), Grade.FAIL),
            (0.9, ("at most", 0.9), Grade.PASS),
            (0.91, ("at most", 0.9), Grade.FAIL),
            (3, ("equals", 3), Grade.PASS),
            ("cpu", ("equals", "cpu"), Grade.PASS),
            ("meta", ("equals", "cpu"), Grade.FAIL),
            ([1, 2], ("equals", [1, 2]), Grade.PASS),
            (math.nan, ("at least", 0.9), Grade.FAIL),
            (math.nan, ("at most", 0.9), Grade.FAIL),
            (math.inf, ("at most", 0.9), Grade.FAIL),
            (None, ("at least", 0.9), Grade.FAIL),
            ("high", ("at least", 0.9), Grade.FAIL),
            (math.inf, ("at least", 0.9), Grade.FAIL),
            (10**400, ("at least", 0.9), Grade.FAIL),
            (-(10**400), ("at most", 0.9), Grade.FAIL),
            (True, ("at least", 0.9), Grade.FAIL),
        ],
    )
    def test_the_bound_decides(self, observed: object, bound: tuple[str, object], grade: Grade) -> None:
        run = run_of(evidence=(value(observed),), exception=None if grade is Grade.PASS else failed())
        assert judge(bounded(OracleKind.VALUE, 1, *bound), run).grade is grade

    def test_the_reason_states_value_and_bound(self) -> None:
        verdict = judge(VALUE, run_of(evidence=(value(0.123456789),), exception=failed()))
        assert verdict.reason == "accuracy is 0.1235; healthy is at least 0.9"
        assert verdict.measured == {"value": 0.123456789}

    @pytest.mark.parametrize(
        "boast", [{"healthy": True}, {"bound": ["at least", 0.0]}, {"bound": ["equals", 0.1], "metric": "loss"}]
    )
    def test_what_the_evidence_says_of_bounds_and_health_does_not_count(self, boast: dict[str, object]) -> None:
        assert judge(VALUE, run_of(evidence=({**value(0.1), **boast},), exception=failed())).grade is Grade.FAIL

    def test_healthy_numbers_of_a_test_that_failed_are_strange(self) -> None:
        verdict = judge(VALUE, run_of(evidence=(value(1.0),), exception=failed("accuracy is 0.1")))
        assert verdict.grade is Grade.STRANGE
        assert verdict.reason == "raised Failed: accuracy is 0.1, although its measurements are healthy"


class TestSymptomOracle:
    def test_six_of_six_healthy_seeds_pass_and_none_of_six_fails(self) -> None:
        passing = judge(SYMPTOM, run_of(evidence=seeds(*[0.95] * 6)))
        failing = judge(SYMPTOM, run_of(evidence=seeds(*[0.5] * 6), exception=failed()))
        assert (passing.grade, failing.grade) == (Grade.PASS, Grade.FAIL)
        assert passing.reason == "6 of 6 seeds healthy (accuracy at least 0.9), sign test p = 0.0156"
        assert failing.measured["p_value"] == pytest.approx(1 / 64)

    def test_a_mixture_is_undecided(self) -> None:
        undecided = raised("Undecided")
        verdict = judge(SYMPTOM, run_of(evidence=seeds(0.95, 0.95, 0.95, 0.95, 0.95, 0.1), exception=undecided))
        assert verdict.grade is Grade.UNDECIDED
        assert verdict.measured["p_value"] == pytest.approx(7 / 64)

    @pytest.mark.parametrize(
        "evidence",
        [
            seeds(*[0.95] * 5),
            seeds(*[0.95] * 7),
            seeds(*[0.95] * 6) * 2,
            seeds(*[0.95] * 6)[::-1],
            tuple({**event, "seed": 0} for event in seeds(*[0.95] * 6)),
            tuple({"oracle": "symptom", "value": 0.95} for _ in range(6)),
            (*seeds(*[0.95] * 5), {"oracle": "symptom", "seed": 5}),
            (*seeds(*[0.95] * 5), {"oracle": "value", "seed": 5, "value": 0.95}),
            (*seeds(*[0.95] * 6), {"event": "other"}),
        ],
        ids=[
            "few",
            "many",
            "twice",
            "backwards",
            "one seed",
            "no seeds",
            "no value",
            "another oracle",
            "another event",
        ],
    )
    def test_other_seeds_than_the_bug_asks_for_are_strange(self, evidence: tuple[dict[str, object], ...]) -> None:
        verdict = judge(SYMPTOM, run_of(evidence=evidence))
        assert verdict.grade is Grade.STRANGE
        assert "expected 6 measurements from seed 0 on" in verdict.reason

    def test_the_seeds_are_those_of_the_run(self) -> None:
        evidence = tuple({**event, "seed": 3000 + n} for n, event in enumerate(seeds(*[0.95] * 6)))
        assert judge(SYMPTOM, run_of(evidence=evidence, seed=3)).grade is Grade.PASS
        assert judge(SYMPTOM, run_of(evidence=evidence, seed=2)).grade is Grade.STRANGE

    def test_too_few_seeds_prove_nothing(self) -> None:
        oracle = bounded(OracleKind.SYMPTOM, 4)
        assert judge(oracle, run_of(evidence=seeds(0.95, 0.95, 0.95, 0.95))).grade is Grade.UNDECIDED

    def test_a_loss_that_became_nan_is_never_healthy(self) -> None:
        run = run_of(evidence=seeds(*[math.nan] * 6), exception=failed())
        assert judge(bounded(OracleKind.SYMPTOM, 6, "at most", 1.0), run).grade is Grade.FAIL

    @given(st.lists(st.floats() | st.none() | st.text(max_size=3), min_size=1, max_size=12))
    def test_whatever_was_measured_there_is_a_verdict(self, observed: list[object]) -> None:
        verdict = judge(bounded(OracleKind.SYMPTOM, len(observed)), run_of(evidence=seeds(*observed)))
        assert verdict.grade in {Grade.PASS, Grade.FAIL, Grade.UNDECIDED}


class TestCostOracle:
    @pytest.mark.parametrize(
        ("cost", "grade"), [(4.0, Grade.FAIL), (9.0, Grade.FAIL), (1.99, Grade.PASS), (2.0, Grade.UNDECIDED)]
    )
    def test_the_ratio_to_the_twin_decides(self, cost: float, grade: Grade) -> None:
        verdict = judge(COST, run_of(evidence=costs(cost)), run_of(evidence=costs(1.0)))
        assert verdict.grade is grade
        assert verdict.measured == {"cost": cost, "reference": 1.0, "ratio": cost}

    def test_least_costs_are_compared_so_that_hiccups_do_not_matter(self) -> None:
        verdict = judge(cost_oracle(3), run_of(evidence=costs(1, 1, 100)), run_of(evidence=costs(1, 1, 1)))
        assert verdict.grade is Grade.PASS

    def test_without_the_twin_there_is_no_verdict(self) -> None:
        for reference in (None, run_of()):
            verdict = judge(COST, run_of(evidence=costs(4.0)), reference)
            assert verdict.grade is Grade.NOT_RUN
            assert "has not been measured" in verdict.reason

    def test_a_twin_that_was_killed_leaves_no_verdict(self) -> None:
        killed = run_of(Outcome.KILLED, evidence=costs(1.0), exit_code=-9)
        assert judge(COST, run_of(evidence=costs(4.0)), killed).grade is Grade.NOT_RUN

    def test_a_twin_that_costs_nothing_makes_any_cost_too_much_and_nothing_equal(self) -> None:
        free = run_of(evidence=costs(0.0))
        assert judge(COST, run_of(evidence=costs(0.1)), free).grade is Grade.FAIL
        assert judge(COST, run_of(evidence=costs(0.0)), free).grade is Grade.PASS

    @pytest.mark.parametrize("cost", [math.nan, math.inf, -1.0, "1", True, None, 10**400, [1]])
    def test_a_cost_that_is_not_a_finite_number_or_negative_is_strange(self, cost: object) -> None:
        assert judge(COST, run_of(evidence=costs(cost)), run_of(evidence=costs(1.0))).grade is Grade.STRANGE
        assert judge(COST, run_of(evidence=costs(1.0)), run_of(evidence=costs(cost))).grade is Grade.STRANGE


@pytest.mark.parametrize("oracle", [VALUE, SYMPTOM, COST], ids=lambda oracle: oracle.kind.value)
@pytest.mark.parametrize("nonsense", [{}, {"value": 1.0, "seed": "x"}, {"value": 1.0, "seed": []}, {"seed": 0}])
def test_evidence_that_makes_no_sense_is_strange(oracle: Oracle, nonsense: dict[str, object]) -> None:
    """Evidence is written by a foreign process: a missing key must not stop a whole verification."""
    broken = run_of(evidence=({"oracle": oracle.kind.value, **nonsense},))
    verdict = judge(oracle, broken, broken)
    assert verdict.grade is Grade.STRANGE
    assert verdict.reason.startswith("left invalid evidence")


def test_a_trial_recorded_without_the_bound_of_its_test_cannot_be_judged_again() -> None:
    """Trials of earlier versions: their evidence brought its own bounds, and those do not count."""
    boast = {"oracle": "value", "metric": "accuracy", "value": 1.0, "bound": ["at least", 0.9], "healthy": True}
    old = Trial(
        "torch-0001", Twin.FIXED, Oracle(OracleKind.VALUE), run_of(evidence=(boast,)), Judgement(Grade.PASS, "")
    )
    again = regrade(old)
    assert again.grade is Grade.NOT_RUN
    assert again.judgement.reason == "it was recorded without the bound of its test: run it again"


def test_a_trial_is_judged_anew_from_what_it_keeps() -> None:
    slow, quick = run_of(evidence=costs(8.0)), run_of(evidence=costs(1.0))
    forged = Trial("torch-0001", Twin.BUGGY, COST, slow, Judgement(Grade.PASS, "says who"), quick)
    again = regrade(forged)
    assert again.grade is Grade.FAIL
    assert replace(again, judgement=forged.judgement) == forged
