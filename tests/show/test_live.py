"""What is shown while a program runs: its own lines, how far it is, the first loss that is no number."""

from __future__ import annotations

import io
import json

import pytest

from bugloss.show.cli.live import LiveView
from bugloss.show.cli.printed_lines import PrintedLines
from bugloss.show.cli.progress import TrainingProgress, sparkline
from bugloss.show.cli.status_bar import StatusBar


def step(number: int, loss: object, **more: object) -> bytes:
    return json.dumps({"event": "step", "step": number, "loss": loss, **more}).encode()


def progress_of(*lines: bytes) -> TrainingProgress:
    progress = TrainingProgress()
    for line in lines:
        progress.take(line)
    return progress


def test_step_epoch_and_loss_are_told_with_a_curve() -> None:
    progress = progress_of(step(0, 2.0, epoch=0), step(1, 1.0, epoch=0), step(2, 0.5, epoch=1))
    assert progress.words() == "step 2, epoch 2, loss 0.5  █▃▁"
    assert not progress.alarm


def test_before_the_first_step_there_is_nothing_to_tell() -> None:
    assert progress_of(b'{"event": "started"}').words() == ""


def test_the_first_loss_that_is_no_number_raises_the_alarm_and_later_ones_do_not_change_it() -> None:
    progress = progress_of(step(3, 1.0), step(4, "inf"), step(5, "nan"))
    assert progress.alarm == "the loss is infinite at step 4"
    assert progress.words() == "step 5, loss NaN  ▁"


@pytest.mark.parametrize(
    "line", [b"garbage", b"[1]", step(True, 1e308), step(7, None), b'{"event": "step", "step": "x", "loss": {}}']
)
def test_a_program_may_write_anything(line: bytes) -> None:
    progress = progress_of(step(1, 3.0), line)
    assert "loss 3" in progress.words() and not progress.alarm


def test_a_curve_falls_from_high_to_low_blocks() -> None:
    assert sparkline([float(value) for value in range(8, 0, -1)]) == "█▇▆▅▄▃▂▁"
    assert sparkline([1.0, 1.0]) == "▁▁"
    assert len(sparkline([float(value) for value in range(1000)])) <= 30


def test_output_is_shown_line_by_line_as_a_terminal_would_leave_it() -> None:
    lines = PrintedLines()
    assert list(lines.take("épo".encode()[:1])) == []
    assert list(lines.take("épo".encode()[1:] + b"ch 1\n 10%\r 50%\r100% \n\x1b[31mred\x1b[0m\nrest")) == [
        "époch 1",
        "100%",
        "red",
    ]
    assert list(lines.rest()) == ["rest"]
    assert list(lines.rest()) == []


def test_a_view_shows_the_programs_lines_and_warns_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with LiveView(quiet=False) as view:
        view.notify("running train.py (because)")
        view.listener.output(b"epoch 1\nhalf a li")
        view.listener.event(step(4, "nan"))
        view.listener.event(step(5, "nan"))
    assert capsys.readouterr().err.splitlines() == [
        "running train.py (because)",
        "│ epoch 1",
        "bugloss: the loss is NaN at step 4",
        "│ half a li",
    ]
    assert view.status().startswith("bugloss: running train.py · 0.")
    assert view.status().endswith("· step 5, loss NaN")


def test_a_quiet_view_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with LiveView(quiet=True) as view:
        view.listener.output(b"epoch 1\n")
        view.listener.event(step(4, "nan"))
    assert capsys.readouterr().err == ""


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 99


def test_the_status_stands_below_the_rows_that_scroll_and_is_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bugloss.show.cli.status_bar.os.get_terminal_size", lambda descriptor: (20, 10))
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    bar = StatusBar(terminal)
    bar.show("a status that is too long for it")
    assert "\x1b[1;9r" in terminal.getvalue()
    assert "\x1b[10;1H\x1b[2K\x1b[2ma status that is to\x1b[0m" in terminal.getvalue()
    bar.close()
    assert terminal.getvalue().endswith("\x1b7\x1b[r\x1b[10;1H\x1b[2K\x1b8")


def test_no_code_is_written_where_no_terminal_understands_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    for stream in (io.StringIO(), Terminal()):
        bar = StatusBar(stream)
        bar.show("status")
        bar.close()
        assert stream.getvalue() == ""
