"""What follows a match: more runs, and for symptoms a control."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from pretended_runs import PretendedLaboratory, ended, raised, reading_of

from bugloss.core.reproduction import Level, ProgramEdit
from bugloss.core.run import Run
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind, ExpectedException
from bugloss.reproduce.expected.verdict import judge
from bugloss.reproduce.program.draft import Draft, LineOrigin
from bugloss.reproduce.search.loop import SearchState
from bugloss.workflows.confirmation import Confirmation, level_beside
from bugloss.workflows.laboratory import Sandboxed

CRASH = Expectation(ExpectationKind.EXCEPTION, (ExpectedException("ValueError", "bad shape (3, 4)"),))
TEXT = "stand_in = np.random.default_rng(0)\nspare = 1\nuse(stand_in)\n"
FAILED = ended(exception=raised("ValueError", "bad shape (3, 4)", line=3))


class Confirming(PretendedLaboratory):
    """A laboratory that also confirms."""

    def confirm(self, texts: Sequence[str], seeds: Sequence[int]) -> list[Run]:
        return self.run(texts)


def confirmation(ending: Callable[[str], Run]) -> tuple[Confirmation, Confirming]:
    laboratory = Confirming(ending)
    return Confirmation(reading_of(""), CRASH, cast(Sandboxed, laboratory), lambda text: None), laboratory


def matched(text: str = TEXT) -> SearchState:
    origins = (LineOrigin.DATA, LineOrigin.OURS, LineOrigin.REPORTED, LineOrigin.REPORTED)
    draft = Draft(text, origins)
    edit = ProgramEdit(EditAction.HYPERPARAMETER_INITIALIZATION, "assumed", "spare = 1")
    return SearchState(draft, (edit,), FAILED, judge(CRASH, FAILED, draft, "repro.py"))


def test_every_confirming_run_has_a_seed_of_its_own() -> None:
    confirming, laboratory = confirmation(lambda text: FAILED)
    runs = confirming.runs(matched(), 5)
    assert [(run.seed, run.outcome) for run in runs] == [(seed, "match") for seed in range(5)]
    assert [f"default_rng({seed})" in text for seed, text in enumerate(laboratory.texts)] == [True] * 5


def test_runs_that_disagree_are_counted_in_the_reason() -> None:
    confirming, _ = confirmation(lambda text: FAILED if "rng(1)" in text else ended("fine"))
    runs = confirming.runs(matched(), 5)
    level, reason = confirming.verdict(matched(), runs, {})
    assert [run.outcome for run in runs] == ["R1", "match", "R1", "R1", "R1"]
    assert level is Level.EXACT
    assert "1 of 5 runs show it" in reason


def test_what_is_never_seen_again_is_not_reproduced() -> None:
    confirming, _ = confirmation(lambda text: ended("fine"))
    level, reason = confirming.verdict(matched(), confirming.runs(matched(), 5), {})
    assert level is Level.RUNS
    assert "in none of 5" in reason


def test_what_did_not_match_is_not_run_again() -> None:
    confirming, laboratory = confirmation(lambda text: FAILED)
    draft = Draft.reported("fine()\n")
    fine = SearchState(draft, (), ended("fine"), judge(CRASH, ended("fine"), draft, "repro.py"))
    assert confirming.runs(fine, 5) == []
    assert laboratory.texts == []


def test_shrinking_marks_the_edits_of_which_nothing_is_left() -> None:
    confirming, _ = confirmation(lambda text: FAILED if "use(stand_in)" in text and "stand_in =" in text else ended())
    small = confirming.shrunk(matched(), limit=float("inf"))
    assert "spare" not in small.draft.text
    assert [entry.needed for entry in small.log] == [False]


def test_a_symptom_that_the_control_does_not_show_is_exact() -> None:
    level, reason = level_beside(0, Level.SAME, "flat", shown=5, runs=5)
    assert level is Level.EXACT
    assert "p = 0.004" in reason


def test_a_symptom_that_the_control_shows_too_is_the_datas_own() -> None:
    assert level_beside(4, Level.SAME, "flat", shown=5, runs=5)[0] is Level.RUNS
    assert level_beside(1, Level.SAME, "flat", shown=5, runs=5)[0] is Level.SAME
    assert level_beside(0, Level.SIMILAR, "flat", shown=5, runs=5)[0] is Level.SIMILAR


def test_only_our_own_random_numbers_are_seeded_anew() -> None:
    line = "stand_in = np.random.default_rng(0)"
    draft = Draft(f"{line}\n{line}", (LineOrigin.REPORTED, LineOrigin.DATA))
    assert draft.with_seed(3).text == f"{line}\nstand_in = np.random.default_rng(3)"
