"""Labels of the study, joined to subjects."""

from __future__ import annotations

from pathlib import Path

import pytest

from bugloss.core.errors import InvalidInput
from bugloss.evaluate.labels import ReportLabel, labelled, read_labels
from bugloss.evaluate.subjects import RankedReport


def subject(project: str, number: int, bug_type: str = "") -> RankedReport:
    return RankedReport(f"{project}#{number}", project, Path(), "c", "t", "", 0, 1, ("a.py",), bug_type)


def table(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text(text)
    return path


def test_the_first_annotators_word_counts(tmp_path: Path) -> None:
    rows = "project,bug_id,is_dl_a1,dl_type_a1,extrinsic_a1,dl_type_a2\n"
    rows += "o+dgl,7,Yes,Tensor & Input,Yes,Model\no+dgl,8,No,,No,\no+dgl,9,Yes,Odd,,\n"
    found = read_labels(table(tmp_path, rows))
    assert found["dgl", "7"] == ReportLabel("tensor", "extrinsic")
    assert found["dgl", "8"] == ReportLabel("non-dl", "intrinsic")
    assert found["dgl", "9"] == ReportLabel("", "")


def test_labels_meet_subjects_by_project_and_number(tmp_path: Path) -> None:
    found = read_labels(table(tmp_path, "project,issue_id,extrinsic_a1\ndjango_rest_framework,7,Yes\n"))
    given = [subject("encode+django-rest-framework", 7, "api"), subject("encode+django-rest-framework", 8, "gpu")]
    first, second = labelled(given, [found])
    assert (first.bug_type, first.origin) == ("api", "extrinsic")
    assert second == given[1]


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "project,title\nx,y\n"])
def test_a_table_without_the_columns_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidInput, match="no column"):
        read_labels(table(tmp_path, text))


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"nowhere\.csv"):
        read_labels(tmp_path / "nowhere.csv")
