"""The search: edit, run, read the failure; undo what leads away; stop at a match, at the budget or at the end of ideas."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pretended_runs import PretendedLaboratory, ended, raised, reading_of

from bugloss.core.reproduction import Level
from bugloss.core.run import Run
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.contract import Action, EditEvidence, Proposal
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind, ExpectedException
from bugloss.reproduce.expected.symptoms import SymptomKind
from bugloss.reproduce.program.draft import Draft, LineOrigin
from bugloss.reproduce.search.loop import ReproductionSearch, changed_lines

A1, A3, A4, A6 = (
    EditAction.INPUT_DATA_GENERATION,
    EditAction.HYPERPARAMETER_INITIALIZATION,
    EditAction.IMPORT_ADDITION,
    EditAction.OBSOLETE_PARAMETER_REMOVAL,
)
WANTED = Expectation(ExpectationKind.EXCEPTION, (ExpectedException("ValueError", "bad shape (3, 4)"),))
MATCH = ended(exception=raised("ValueError", "bad shape (3, 4)", line=2))
NAME_ERROR = ended(exception=raised("NameError", "name 'x' is not defined", line=1))


class Scripted(Action):
    """An action that proposes what the test says."""

    examples = ()

    def __init__(self, action: EditAction, proposals: Callable[[str, EditEvidence], list[str]]) -> None:
        self.action = action  # type: ignore[misc]
        self.proposals = proposals

    def find(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        for text in self.proposals(program.text, evidence):
            yield Proposal(text, f"{self.action.code} did it")


def after_a_run(*texts: str) -> Callable[[str, EditEvidence], list[str]]:
    """Proposals that need to have seen a failure."""
    return lambda text, evidence: [one for one in texts if one != text] if evidence.run is not None else []


def search(ending: Callable[[str], Run], *actions: Action, **settings: object) -> ReproductionSearch:
    laboratory = PretendedLaboratory(ending)
    by_name = {action.action: action for action in actions}
    return ReproductionSearch(EditEvidence(reading_of(""), WANTED), by_name, laboratory, **settings)  # type: ignore[arg-type]


def texts_of(found: ReproductionSearch) -> list[str]:
    assert isinstance(found.laboratory, PretendedLaboratory)
    return found.laboratory.texts


def test_a_match_in_the_first_run_ends_the_search() -> None:
    found = search(lambda text: MATCH, Scripted(A1, after_a_run("x = 1\nuse(x)\n")))
    assert found.best(Draft.reported("\nuse(x)\n")).level is Level.EXACT
    assert (found.stopped, len(found.attempts)) == ("matched", 1)


def test_a_failure_leads_to_the_action_that_answers_it() -> None:
    fixed = "x = 1\nuse(x)\n"
    found = search(lambda text: MATCH if text == fixed else NAME_ERROR, Scripted(A1, after_a_run(fixed)))
    state = found.best(Draft.reported("use(x)\n"))
    assert (state.draft.text, state.level) == (fixed, Level.EXACT)
    assert [(entry.action, entry.before, entry.after) for entry in state.log] == [(A1, "use(x)\n", fixed)]


def test_what_needs_no_run_is_done_before_the_first_one() -> None:
    added = "import numpy as np\nnp.use()\n"
    found = search(lambda text: MATCH, Scripted(A4, lambda text, evidence: [] if "import" in text else [added]))
    found.best(Draft.reported("np.use()\n"))
    assert texts_of(found) == [added]


def test_an_edit_that_leads_away_is_undone() -> None:
    """The wrong proposal fails earlier than the program did; the right one is tried from the old program."""
    start, wrong, right = "a = 1\nuse(x)\n", "broken\na = 1\nuse(x)\n", "x = 2\na = 1\nuse(x)\n"
    ends = {
        start: ended(exception=raised("NameError", "name 'x' is not defined", line=2)),
        wrong: ended(exception=raised("NameError", "name 'broken' is not defined", line=1)),
        right: ended(exception=raised("ValueError", "bad shape (3, 4)", line=3)),
    }
    found = search(ends.__getitem__, Scripted(A1, after_a_run(wrong, right)))
    state = found.best(Draft.reported(start))
    assert texts_of(found) == [start, wrong, right]
    assert state.draft.text == right
    assert [entry.after for entry in state.log] == [right]


def test_one_obstacle_on_a_line_may_hide_the_next() -> None:
    """Two keywords that a release no longer takes, both on one line: without the first it failed at the same place."""
    start, between, right = "fit(a=1, b=2)\n", "fit(b=2)\n", "fit()\n"
    ends = {
        start: ended(exception=raised("TypeError", "unexpected keyword argument 'a'", line=1)),
        between: ended(exception=raised("TypeError", "unexpected keyword argument 'b'", line=1)),
        right: ended(exception=raised("ValueError", "bad shape (3, 4)", line=1)),
    }
    following = {start: [between], between: [right], right: []}
    steps = Scripted(A6, lambda text, evidence: following[text] if evidence.run is not None else [])
    found = search(ends.__getitem__, steps)
    assert found.best(Draft.reported(start)).draft.text == right
    assert found.stopped == "matched"


def test_what_was_put_aside_is_little_and_tried_once() -> None:
    """Edits that change the message for ever must not go on for ever."""
    endless = Scripted(A1, lambda text, evidence: [f"{text}#"] if evidence.run is not None else [])

    def ending(text: str) -> Run:
        return ended(exception=raised("NameError", f"name 'x{'i' * text.count('#')}' is not defined", line=1))

    ticks = iter(range(10_000))
    found = search(ending, endless, deadline=500.0, clock=lambda: float(next(ticks)))
    found.best(Draft.reported("use(x)\n"))
    assert len(texts_of(found)) == len(set(texts_of(found)))


def test_it_stops_when_no_edit_is_left_and_keeps_the_nearest() -> None:
    found = search(lambda text: NAME_ERROR, Scripted(A1, after_a_run("y = 1\nuse(x)\n")))
    state = found.best(Draft.reported("use(x)\n"))
    assert found.stopped == "no edits left to try"
    assert state.level is Level.BROKEN
    assert len(texts_of(found)) == len(set(texts_of(found)))


def test_it_stops_when_the_budget_is_used_up() -> None:
    """An action with endless ideas, a clock that goes on by a second with every look."""
    ticks = iter(range(1000))
    endless = Scripted(A1, lambda text, evidence: [f"{text}# more\n"] if evidence.run is not None else [])

    def ending(text: str) -> Run:
        edits = text.count("# more")
        return ended(exception=raised("NameError", f"name 'x{'i' * edits}' is not defined", line=1 + edits))

    found = search(ending, endless, deadline=5.0, clock=lambda: float(next(ticks)))
    found.best(Draft.reported("use(x)\n" * 100))
    assert found.stopped == "the time limit of the search is reached"
    assert len(found.attempts) < 10


def test_edits_that_leave_a_failure_as_it_was_are_given_up() -> None:
    many = [f"x = {number}\nuse(y)\n" for number in range(50)]
    found = search(lambda text: NAME_ERROR, Scripted(A1, after_a_run(*many)))
    found.best(Draft.reported("use(y)\n"))
    assert len(found.attempts) <= 8


def test_an_action_that_fails_on_odd_code_does_not_end_the_search() -> None:
    def burst(text: str, evidence: EditEvidence) -> list[str]:
        raise RecursionError("too deep")

    fixed = "x = 1\nuse(x)\n"
    found = search(
        lambda text: MATCH if text == fixed else NAME_ERROR, Scripted(A4, burst), Scripted(A1, after_a_run(fixed))
    )
    assert found.best(Draft.reported("use(x)\n")).level is Level.EXACT


def test_an_action_that_such_bugs_hardly_ever_need_is_asked_later() -> None:
    def order(confidence: dict[EditAction, float]) -> list[str]:
        made = Scripted(A1, after_a_run("made = 1\n")), Scripted(A3, after_a_run("setting = 1\n"))
        found = search(lambda text: NAME_ERROR, *made, confidence=confidence)
        found.best(Draft.reported("use(x)\n"))
        return texts_of(found)[1:3]

    assert order({A1: 0.6, A3: 0.5}) == ["made = 1\n", "setting = 1\n"]
    assert order({A1: 0.05, A3: 0.5}) == ["setting = 1\n", "made = 1\n"]


def test_a_symptom_must_come_again_with_other_data() -> None:
    """A loss that is flat by chance, with the first seed only, is not reproduced; the next candidate is tried."""
    flat, falling = "loss: 1.0\n" * 6, "".join(f"loss: {0.5**step}\n" for step in range(6))
    line = "stand_in = np.random.default_rng(0)"
    start, steady = f"{line}\nfit()\n", f"{line}\nhard()\nfit()\n"

    def ending(text: str) -> Run:
        return ended(flat if "hard" in text or "default_rng(0)" in text else falling)

    laboratory = PretendedLaboratory(ending)
    wanted = Expectation(ExpectationKind.SYMPTOM, symptoms=(SymptomKind.FLAT,))
    found = ReproductionSearch(
        EditEvidence(reading_of(""), wanted), {A1: Scripted(A1, after_a_run(steady))}, laboratory
    )
    state = found.best(Draft(start, (LineOrigin.DATA, LineOrigin.REPORTED, LineOrigin.REPORTED)))
    assert (state.draft.text, state.level) == (steady, Level.SAME)
    assert [attempt.level for attempt in found.attempts] == [Level.RUNS, Level.SAME]


def test_every_attempt_is_told_with_its_number_and_its_end() -> None:
    told: list[str] = []
    found = search(lambda text: NAME_ERROR, notify=lambda attempt: told.append(f"{attempt.number} {attempt.outcome}"))
    found.best(Draft.reported("use(x)\n"))
    assert told == ["1 NameError"]


def test_the_lines_that_an_edit_touched_are_counted_in_the_new_text() -> None:
    assert changed_lines("a\nb\nc", "a\nx\ny\nb\nc") == (2, 3)
    assert changed_lines("a\nb\nc", "a\nB\nc") == (2, 2)
