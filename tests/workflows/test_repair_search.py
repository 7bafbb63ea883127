"""The search for a repair, with runs that are worked out from the text of the program instead of run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bugloss.core.raised import Frame, RaisedException
from bugloss.core.run import Outcome
from bugloss.observe.crash_event import Operand
from bugloss.observe.recording import Crash, Recording, TrainingStep
from bugloss.record.repairs import RepairFolder
from bugloss.repair.ladder.observed import ObservedRun
from bugloss.workflows.patch_trial import ProgramState
from bugloss.workflows.repair_search import RepairSearch, SearchResult
from bugloss.workflows.trial_bench import Variant

SCRIPT = "train.py"
TWO_SIZES = """\
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.reader = nn.LSTM(16, width, batch_first=True, bidirectional=True)
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, 4)

    def forward(self, tokens):
        states, _ = self.reader(tokens)
        return self.out(self.norm(states))
"""
Run = Callable[[str], ObservedRun]


class WorkedOut:
    """Whoever answers what a variant does from its text."""

    def __init__(self, program: str, run: Run) -> None:
        self.program, self.answer, self.runs = program, run, 0

    def run(self, variants: Sequence[Variant]) -> list[ObservedRun]:
        self.runs += len(variants)
        return [self.answer(variant.changed.get(SCRIPT, self.program)) for variant in variants]


def crashed(program: str, line: str, kind: str, message: str, *operands: Operand) -> ObservedRun:
    number = next(at for at, text in enumerate(program.split("\n"), 1) if line in text)
    frame = Frame(SCRIPT, number, "forward", program.split("\n")[number - 1].strip())
    return ObservedRun(
        Recording(crash=Crash(RaisedException(kind, kind, message, (), (frame,)), operands)), Outcome.RAISED
    )


def finished() -> ObservedRun:
    return ObservedRun(Recording(steps=(TrainingStep(step=1), TrainingStep(step=2))), Outcome.FINISHED)


def searched(program: str, run: Run, folder: Path) -> tuple[SearchResult, WorkedOut]:
    runner = WorkedOut(program, run)
    start = ProgramState({SCRIPT: program}.get, {})
    kept = RepairFolder("search", str, folder)
    return RepairSearch(runner, SCRIPT, start, kept, 1.0, time.monotonic() + 60).run(), runner


def two_sizes(text: str) -> ObservedRun:
    line = "return self.out("
    states = Operand("states", (32, 9, 48), "float32", "cpu", 14, SCRIPT)
    if "LayerNorm(2 * width)" not in text:
        said = "Given normalized_shape=[24], expected input with shape [*, 24], but got input of size[32, 9, 48]"
        return crashed(text, line, "RuntimeError", said, states)
    if "Linear(2 * width, 4)" not in text:
        said = "mat1 and mat2 shapes cannot be multiplied (288x48 and 24x4)"
        return crashed(text, line, "RuntimeError", said, states)
    return finished()


def test_two_sizes_that_clash_in_one_line_are_both_changed(tmp_path: Path) -> None:
    """A second crash in the same line was taken for no progress, so that programs with two wrong sizes stayed broken."""
    found, _ = searched(TWO_SIZES, two_sizes, tmp_path)
    assert found.best is not None
    assert found.best.patch.edit.apply(SCRIPT, TWO_SIZES).count("2 * width") == 2
    assert found.open == ()


def test_a_crash_that_nothing_repairs_is_reported_as_it_was(tmp_path: Path) -> None:
    def never(text: str) -> ObservedRun:
        run = two_sizes(text)
        if run.crash is None:
            return crashed(text, "return self.out(", "ValueError", "something else is wrong")
        return run

    found, _ = searched(TWO_SIZES, never, tmp_path)
    assert found.best is None
    assert found.open == ("RuntimeError",)


def test_a_patch_that_takes_back_an_earlier_one_is_not_run(tmp_path: Path) -> None:
    """An edit that leads back would be run and judged once more, and found to lead to the first crash again."""
    texts: list[str] = []

    def noted(text: str) -> ObservedRun:
        texts.append(text)
        return two_sizes(text)

    searched(TWO_SIZES, noted, tmp_path)
    assert texts.count(TWO_SIZES) <= 2  # once to see the crash, once more where a repaired crash must come back
