"""A repair on the terminal and on the page."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from bugloss.core.edit import Edit, Span, TextChange
from bugloss.core.finding import Safety
from bugloss.core.patch import Patch, PatchVerdict, Rung, RungResult, TriedPatch
from bugloss.core.taxonomy import FixPattern
from bugloss.show.answer.repair import show_repair
from bugloss.show.answer.sheet import Sheet
from bugloss.show.cli.repair import choose_and_apply
from bugloss.show.cli.verbs.repair import exit_code
from bugloss.show.page.patch_view import patch_view
from bugloss.workflows.repair import NOTHING, RepairOutcome
from bugloss.workflows.repair_search import SearchResult

EDIT = Edit.of(TextChange("train.py", Span(3, 0, 3, 2), "30", "0.1"))
PATCH = Patch(EDIT, FixPattern.OPTIMIZER, 0.9, Safety.SUGGESTED, "The learning rate is too high.")
STEPS = (
    RungResult(Rung.APPLIES, True, "applies to 1 file and parses"),
    RungResult(Rung.PAIRED, True, "better with 5 of 5 seeds"),
)
FIXED = TriedPatch(PATCH, PatchVerdict.FIXED, STEPS, "--- a/train.py\n+++ b/train.py\n@@ -3 +3 @@\n-30\n+0.1\n")
NOT_RUN = TriedPatch(PATCH, PatchVerdict.NOT_RUN, STEPS[:1], FIXED.diff)


def outcome(*patches: TriedPatch, words: str = "something", **more: object) -> RepairOutcome:
    return RepairOutcome(Path("train.py"), Path(), words, patches, target="train.py", **more)  # type: ignore[arg-type]


def shown(given: RepairOutcome) -> str:
    stream = io.StringIO()
    show_repair(given, Sheet(Console(file=stream, width=100)))
    return stream.getvalue()


def test_the_best_patch_is_shown_with_its_lines_and_its_evidence() -> None:
    text = shown(outcome(FIXED))
    assert text.startswith("✓ fixed  optimizer, suggested")
    assert [
        line
        for line in ("-30", "+0.1", "better with 5 of 5 seeds", "bugloss repair train.py --apply")
        if line not in text
    ] == []


def test_a_program_that_cannot_run_gets_patches_that_say_so() -> None:
    text = shown(outcome(NOT_RUN, words="the program could not be run; check proposes these patches"))
    assert "✗ the program could not be run" in text
    assert "? not run  optimizer" in text
    assert "next" not in text


def test_exit_codes_say_what_came_of_it() -> None:
    stopped = SearchResult((FIXED,), FIXED, interrupted=True)
    assert [
        exit_code(outcome(FIXED)),
        exit_code(outcome(words=NOTHING)),
        exit_code(outcome(NOT_RUN)),
        exit_code(outcome(FIXED, search=stopped)),
    ] == [0, 0, 3, 130]


def test_the_page_has_every_step_of_the_validation() -> None:
    view = patch_view(outcome(FIXED), Path("case"))
    assert view is not None
    assert view.command.endswith("case/repair.patch")
    assert [(step, mark) for step, mark, _ in view.steps] == [("applies", "passed"), ("paired-seeds", "passed")]
    assert ("added", "+0.1") in view.lines


def answering(*answers: str) -> Callable[[str], str]:
    """A user who gives these answers, one after the other."""
    left = iter(answers)
    return lambda question: next(left)


def chosen_among(folder: Path, monkeypatch: pytest.MonkeyPatch, *answers: str) -> str:
    """What the program says after a repair that asks."""
    program = folder / "train.py"
    program.write_text("import torch\n\n30\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setattr("builtins.input", answering(*answers))
    choose_and_apply(RepairOutcome(program, folder, "", (FIXED, NOT_RUN)), ask=True, force=True, quiet=True)
    return program.read_text(encoding="utf-8").split("\n")[2]


def test_the_patch_that_the_user_chooses_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that is none, as a typing error, quit without a question in a terminal."""
    assert chosen_among(tmp_path, monkeypatch, "y") == "0.1"
    assert chosen_among(tmp_path, monkeypatch, "x", "ye", "n", "yes") == "0.1"
    assert chosen_among(tmp_path, monkeypatch, "n", "q") == "30"
    assert chosen_among(tmp_path, monkeypatch, "", "") == "30"
