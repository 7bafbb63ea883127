"""What an evaluation says while it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from bugloss.core.bug import Twin
from bugloss.evaluate.matrix.cell import Cell, CellState
from bugloss.show.cli.benchmark import watching_evaluation


def cell(tool: str) -> Cell:
    return Cell(tool, "torch-0001", Twin.BUGGY, 0, "key", CellState.ANSWERED)


def test_without_a_terminal_progress_is_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The console of a job was empty for minutes, as a bar needs a terminal."""
    with watching_evaluation(False, tmp_path) as watcher:
        watcher.planned(3, 0)
        for tool in ("check", "diagnose", "autotrainer"):
            watcher.answered(cell(tool))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "1 of 3: torch-0001 buggy: check"
    assert lines[-1] == "3 of 3: torch-0001 buggy: autotrainer"
    assert len(lines) == 2, "answers that come within a second share a line"
