"""The study's tables, cell by cell, on reports whose scores can be told by heart."""

from __future__ import annotations

from pathlib import Path

import pytest

from bugloss.evaluate.localization import evaluate
from bugloss.evaluate.study_tables import NOTHING, StudyTable, study_tables
from bugloss.evaluate.subjects import DEEP_LEARNING, TRADITIONAL, RankedReport


def subject(name: str, system: str = DEEP_LEARNING, **labels: str) -> RankedReport:
    return RankedReport(name, "p", Path(), "c", "t", "", 0, 1, ("a.py",), system=system, **labels)


SUBJECTS = [
    subject("1", bug_type="model", origin="extrinsic", project_class="Library"),
    subject("2", bug_type="model", origin="intrinsic", project_class="Tool"),
    subject("3", bug_type="non-dl", origin="intrinsic"),
    subject("4", TRADITIONAL, origin="intrinsic"),
]
RANKINGS = {  # blia: ranks 1, 2, 4, never; ours: always first
    "mine": {name: ["a.py"] for name in "1234"},
    "blia": {"1": ["a.py"], "2": ["x.py", "a.py"], "3": ["x.py", "y.py", "z.py", "a.py"]},
}


@pytest.fixture
def tables() -> dict[int, StudyTable]:
    return {table.number: table for table in study_tables(SUBJECTS, RANKINGS)}


def cell(table: StudyTable, section: str, method: str, column: str) -> str:
    rows = {row[0]: row for found in table.sections if found.name == section for row in found.rows}
    return rows[method][table.columns.index(column)]


def test_the_five_tables_are_there_with_the_studys_columns(tables: dict[int, StudyTable]) -> None:
    assert {number: table.columns for number, table in tables.items()} == {
        8: ("Method", "Top@1", "Top@5", "Top@10", "MRR", "MAP"),
        14: ("Method", "MRR", "MAP"),
        22: ("Method", "Model", "Training", "Tensor", "API", "GPU"),
        28: ("Method", "MAP", "MRR"),
        30: ("Method", "DLSW+EXT", "DLSW+INT", "NDLSW+EXT", "NDLSW+INT"),
    }
    assert [section.name for section in tables[14].sections] == ["Framework", "Library", "Tool"]


def test_methods_stand_in_the_studys_order_and_others_behind_them(tables: dict[int, StudyTable]) -> None:
    assert [row[0] for row in tables[8].sections[0].rows] == ["BLIA", "mine"]


def test_cells_are_means_over_the_reports_with_the_label(tables: dict[int, StudyTable]) -> None:
    # deep-learning reports of blia: reciprocal ranks 1, 1/2 and 1/4
    assert cell(tables[8], "DLSW", "BLIA", "Top@1") == "0.333"
    assert cell(tables[8], "DLSW", "BLIA", "Top@5") == "1.000"
    assert cell(tables[8], "DLSW", "BLIA", "MRR") == "0.583"
    assert cell(tables[8], "NDLSW", "BLIA", "MAP") == "0.000"
    assert cell(tables[14], "Tool", "BLIA", "MRR") == "0.500"
    assert cell(tables[22], "MAP", "BLIA", "Model") == "0.750"
    assert cell(tables[28], "", "BLIA", "MRR") == "0.250"
    assert cell(tables[30], "MRR", "BLIA", "DLSW+EXT") == "1.000"
    assert cell(tables[30], "MRR", "BLIA", "DLSW+INT") == "0.375"


def test_where_no_report_has_the_label_there_is_a_dash(tables: dict[int, StudyTable]) -> None:
    assert cell(tables[22], "MRR", "mine", "GPU") == NOTHING
    assert cell(tables[30], "MAP", "mine", "NDLSW+EXT") == NOTHING
    assert tables[22].note == "Reports: Model 2, Training 0, Tensor 0, API 0, GPU 0."


def test_the_curve_counts_reports_up_to_each_place() -> None:
    found = {method.method: method.curve for method in evaluate(SUBJECTS, RANKINGS).methods}
    assert found["blia"][:5] == (0.25, 0.5, 0.5, 0.75, 0.75) and len(found["blia"]) == 20
    assert set(found["mine"]) == {1.0}
