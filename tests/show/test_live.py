"""The line that follows a run: read piece by piece, never in the way of the program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bugloss.record.runs import RunFolder
from bugloss.show.cli.live import LiveView, sparkline


def step(number: int, loss: object) -> str:
    return json.dumps({"event": "step", "step": number, "loss": loss}) + "\n"


@pytest.fixture
def view(monkeypatch: pytest.MonkeyPatch) -> LiveView:
    clock = iter(range(10, 1000, 10))
    monkeypatch.setattr("bugloss.show.cli.live.time.monotonic", lambda: float(next(clock)))
    return LiveView(enabled=True)


def test_step_and_loss_are_shown_and_taken_away(
    tmp_path: Path, view: LiveView, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "events.jsonl").write_text(step(0, 2.0) + step(1, 1.0))
    with view:
        view.update(RunFolder(tmp_path))
    shown = capsys.readouterr().err
    assert "step 1, loss 1 " in shown
    assert shown.endswith("\r\x1b[K")


def test_a_line_that_is_still_being_written_waits(tmp_path: Path, view: LiveView) -> None:
    events, whole = tmp_path / "events.jsonl", step(7, 0.5)
    events.write_text(step(6, 1.0) + whole[:10])
    view.update(RunFolder(tmp_path))
    assert view.line().startswith("bugloss: step 6, loss 1 ")
    with events.open("a") as lines:
        lines.write(whole[10:])
    view.update(RunFolder(tmp_path))
    assert view.line().startswith("bugloss: step 7, loss 0.5 ")


def test_losses_that_are_no_numbers_and_torn_lines_are_passed_over(tmp_path: Path, view: LiveView) -> None:
    (tmp_path / "events.jsonl").write_text("garbage\n[1]\n" + step(1, 3.0) + step(2, "nan") + step(3, None))
    view.update(RunFolder(tmp_path))
    assert view.line().startswith("bugloss: step 3, loss 3 ")


def test_nothing_is_shown_when_it_is_off_or_nothing_was_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with LiveView(enabled=False) as off:
        off.update(RunFolder(tmp_path))
    with LiveView(enabled=True) as on:
        on.update(RunFolder(tmp_path))
    assert capsys.readouterr().err == ""


def test_a_curve_falls_from_high_to_low_blocks() -> None:
    assert sparkline([float(value) for value in range(8, 0, -1)]) == "█▇▆▅▄▃▂▁"
    assert sparkline([1.0, 1.0]) == "▁▁"
    assert len(sparkline([float(value) for value in range(1000)])) <= 40
