"""Tables on a terminal: they fit it, and the last column stays readable."""

from __future__ import annotations

import pytest

from bugloss.show.cli.columns import show_columns

HEADINGS = ("bug", "category", "symptom", "title")
ROW = ("keras-0001", "training", "incorrect-functionality", "Metrics are never reset and average over all epochs")


@pytest.mark.parametrize("columns", [60, 80, 140])
def test_a_table_fits_and_keeps_names_and_titles(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    show_columns(HEADINGS, [ROW])
    line = capsys.readouterr().out.splitlines()[1]
    assert len(line) <= columns
    assert line.startswith("keras-0001  ")
    assert "  Metrics are never reset" in line
    assert ("incorrect-functionality" in line) is (columns > 60)


def test_elsewhere_nothing_is_cut(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    show_columns(HEADINGS, [ROW])
    assert capsys.readouterr().out.splitlines()[1].split("  ") == list(ROW)
