"""Shares drawn as bars, and studies written to a folder."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from bugloss.core.errors import EnvironmentFailure
from bugloss.show.cli.studies import write_study
from bugloss.show.scores import draw_bars
from bugloss.study.user_study import study_user_study


def test_each_share_has_a_bar_as_long_as_it_is_large() -> None:
    drawn = ElementTree.fromstring(draw_bars("Shares", ["a", "b"], [("one", [0.5, None]), ("two", [0.25, 1.0])]))
    bars = [each for each in drawn.iter() if each.tag.endswith("rect") and len(each)]
    notes = {bar[0].text: float(bar.attrib["width"]) for bar in bars}
    assert set(notes) == {"one: 50.0%", "two: 25.0%", "two: 100.0%"}
    assert notes["two: 100.0%"] == 2 * notes["one: 50.0%"] == 4 * notes["two: 25.0%"]


def test_names_are_text_and_never_markup() -> None:
    assert "<script>" not in draw_bars("<script>", ["<b>"], [("<i>", [0.1])])


def test_a_folder_gets_a_csv_file_for_each_table_and_a_plot_for_shares(tmp_path: Path) -> None:
    result = study_user_study()
    written = write_study(tmp_path / "new", result)
    assert {f"{table.name}.csv" for table in result.tables} <= set(written)
    assert (tmp_path / "new" / "user-study.svg").read_text().startswith("<svg")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentFailure, match="cannot be written"):
        write_study(tmp_path / "file", study_user_study())
