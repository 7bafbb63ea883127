"""A diagnosis on the terminal: the cause and its remedy first, nothing hidden, nothing said twice."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bugloss.core.cause import CellPlace
from bugloss.core.diagnosis import Cause, Diagnosis, Ending, Location, Site, SolvedBug, Symptom
from bugloss.core.edit import Edit, Span, TextChange
from bugloss.core.finding import Severity
from bugloss.core.run import Outcome
from bugloss.core.taxonomy import FixPattern
from bugloss.show.answer.diagnosis import DiagnosisAnswer, show_diagnosis
from bugloss.show.answer.sheet import Sheet
from bugloss.show.cli.quoting_console import QuotingConsole

SOURCE = "import torch\n\nmodel = build()\noptimizer = torch.optim.SGD(model.parameters(), lr=10)\nfit(model)\n"
FINISHED = Ending(Outcome.FINISHED, 0)
CAUSE = Cause(
    "learning-rate-too-high",
    FixPattern.OPTIMIZER,
    0.9,
    "The learning rate is too high.",
    "Write lr=0.01.",
    (Location("proj/train.py", 4, 0.9, why="it is given here"), Location("proj/train.py", 5, 0.3)),
    ("The loss jumps.", "check (a-rule): The loss jumps", "The loss is NaN."),
)


def said(diagnosis: Diagnosis, width: int = 80, script: str = "proj/train.py", cells: Sequence[CellPlace] = ()) -> str:
    screen = QuotingConsole(width=width)
    screen.file = io.StringIO()
    show_diagnosis(DiagnosisAnswer(diagnosis, {"train.py": SOURCE}.get, script, cells=cells), Sheet(screen))
    return screen.file.getvalue()


def symptom(name: str, severity: Severity, message: str) -> Symptom:
    return Symptom(name, severity, message, step=3)


def test_the_cause_comes_first_with_its_code_then_the_fix_then_the_evidence() -> None:
    text = said(Diagnosis("run", FINISHED, (), (CAUSE,)))
    parts = [
        "✗ learning-rate-too-high  90% sure, optimizer",
        "  The learning rate is too high.",
        "  proj/train.py:4  it is given here",
        "     4 │ optimizer = torch.optim.SGD(model.parameters(), lr=10)",
        "       │ ^^^^^^^^^^^",
        "  fix      Write lr=0.01.",
        "  because  The loss jumps.",
        "           The loss is NaN.",
        "  see      line 5",
    ]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_an_edit_is_shown_as_the_lines_before_and_after_and_marks_what_it_changes() -> None:
    change = TextChange("train.py", Span(4, 51, 4, 53), "10", "0.01")
    text = said(Diagnosis("run", FINISHED, (), (replace(CAUSE, edits=(Edit.of(change),)),)))
    assert "  fix      write `0.01` instead of `10` in line 4\n" in text
    assert "           -optimizer = torch.optim.SGD(model.parameters(), lr=10)\n" in text
    assert "           +optimizer = torch.optim.SGD(model.parameters(), lr=0.01)\n" in text
    assert f"       │ {' ' * 51}^^\n" in text
    assert "Write lr=0.01." not in text


def test_what_check_and_a_detector_say_alike_is_said_once() -> None:
    assert said(Diagnosis("run", FINISHED, (), (CAUSE,))).count("The loss jumps") == 1


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal_or_ends_in_blanks(width: int) -> None:
    long = symptom("loss-flat", Severity.WARNING, "The loss does not fall " * 8)
    lines = said(Diagnosis("run", FINISHED, (long,), (CAUSE,)), width).splitlines()
    assert max(map(len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)


def test_hints_are_shown_and_nothing_wrong_is_said_only_without_them() -> None:
    hint = symptom("growing-weights", Severity.ADVICE, "The weights grow.")
    text = said(Diagnosis("run", FINISHED, (hint,)))
    assert text.startswith("✓ no alarm, but 1 hint\n")
    assert "growing-weights (step 3): The weights grow." in text
    assert said(Diagnosis("run", FINISHED)) == "✓ no problem found\n"


def test_symptoms_that_a_cause_cites_are_not_repeated_and_others_are() -> None:
    cited = symptom("loss-jumps", Severity.ERROR, "The loss jumps.")
    other = symptom("dead-layer", Severity.ERROR, "A layer is dead.")
    text = said(Diagnosis("run", FINISHED, (cited, other), (CAUSE,)))
    assert "loss-jumps" not in text
    assert "  seen     dead-layer (step 3): A layer is dead." in text


def test_a_crash_shows_the_line_that_raised_and_says_the_exception_once() -> None:
    ending = Ending(
        Outcome.RAISED, 1, exception="ValueError", message="bad shape", site=Site("proj/train.py", 5, "<module>", "")
    )
    cause = Cause("shape", FixPattern.OPTIMIZER, 0.9, "It is wrong.", "Do so.", (), ("ValueError: bad shape",))
    text = said(Diagnosis("run", ending, (), (cause,), similar=(SolvedBug("torch-1", "Alike", 1, (), "", ""),)))
    assert text.startswith("✗ train.py crashed: ValueError: bad shape\n  proj/train.py:5\n")
    assert "     5 │ fit(model)" in text
    assert text.count("bad shape") == 1
    assert "torch-1, a solved bug: Alike  bugloss diff torch-1" in text


def test_unlikely_causes_are_only_named_and_a_second_one_is_told_in_short() -> None:
    second = Cause("other-cause", FixPattern.OPTIMIZER, 0.2, "Or this.", "Do that.", evidence=("One.", "Two."))
    third = Cause("faint-cause", FixPattern.OPTIMIZER, 0.001, "Hardly.", "Do nothing.")
    text = said(Diagnosis("run", FINISHED, (), (CAUSE, second, third)))
    assert "? other-cause  20% sure" in text and "One." in text and "Two." not in text
    assert "less likely: faint-cause" in text and "Hardly." not in text


def test_a_run_that_cannot_be_judged_says_why() -> None:
    text = said(Diagnosis("run", FINISHED, remarks=("no step",), gaps=("no training step was seen",)))
    assert text.startswith("? inconclusive: no training step was seen\n")


def test_a_training_that_was_stopped_is_judged_by_what_was_seen_until_then() -> None:
    stopped = Ending(Outcome.TIMED_OUT, missing=("the recording is incomplete",))
    assert said(Diagnosis("run", stopped)).startswith(
        "? train.py was stopped by the time limit\n  Until then no problem was seen.\n"
    )
    assert "Until then" not in said(Diagnosis("run", stopped, gaps=("no training step was seen",)))
    assert "Until then" not in said(Diagnosis("run", stopped, (symptom("dead-layer", Severity.ERROR, "It is dead."),)))


def test_the_frame_of_a_notebook_ends_with_its_cell() -> None:
    cells = [CellPlace(1, 1), CellPlace(1, 2), CellPlace(2, 1), CellPlace(2, 2), CellPlace(3, 1)]
    cause = replace(CAUSE, locations=(Location("train.py", 4, 1.0, None, "here", CellPlace(2, 2)),))
    text = said(Diagnosis("run", FINISHED, (), (cause,)), cells=cells)
    assert "     1 │ model" in text and "     2 │ optimizer" in text and "fit(model)" not in text


def test_codes_in_foreign_text_are_spelled_out() -> None:
    cause = Cause("\x1b[31mred", FixPattern.OPTIMIZER, 0.9, "\x1b]0;title\x07", "fix")
    text = said(Diagnosis("run", FINISHED, (), (cause,)))
    assert "\x1b" not in text and "\\x1b[31mred" in text
