"""dlRepro's tables from its transactions, and where the print differs."""

from __future__ import annotations

from pathlib import Path

import pytest

from bugloss.core.errors import InvalidInput
from bugloss.study.apriori import Line, study_apriori, study_own


def line(number: int, scope: str, group: str, item: str) -> Line:
    table = next(table for table in study_apriori().tables if (table.number, table.scope) == (number, scope))
    return next(line for line in table.lines if (line.group, line.item) == (group, item))


@pytest.mark.parametrize(
    ("number", "group", "item", "count", "of", "printed", "remark"),
    [
        (5, "", "Training", 26, 85, 26, ""),
        (6, "", "Data", 62, 85, 0.729, ""),
        (6, "", "Hyperparameters", 45, 85, 0.527, "misprint"),
        (7, "Tensor", "Logs", 20, 21, 0.8571, "misprint"),
        (7, "Training", "Logs", 22, 26, 0.8477, "misprint"),
        (7, "API", "Model", 8, 11, 0.7271, "misprint"),
        (7, "Training", "Code snippet", 24, 26, 0.9231, ""),
        (8, "Training", "Input data generation", 16, 26, 0.6154, ""),
        (8, "Tensor", "Input data generation", 12, 21, 0.3636, "printed under API"),
        (8, "Tensor", "Obsolete parameter removal", 7, 21, None, "not printed"),
        (8, "API", "Import addition", 5, 11, 0.4762, "printed under Tensor"),
        (8, "Model", "Neural network construction", 15, 20, 0.75, ""),
    ],
)
def test_the_tables_say_what_the_data_say_with_the_print_beside(
    number: int, group: str, item: str, count: int, of: int, printed: float | None, remark: str
) -> None:
    found = line(number, "85", group, item)
    assert (found.count, found.of, found.printed, found.remark) == (count, of, printed, remark)


def test_the_148_bugs_have_tables_of_their_own() -> None:
    assert line(5, "148", "", "Training").count == 50
    assert line(8, "148", "Training", "Input data generation").of == 50
    assert line(7, "148", "Tensor", "Data").printed is None


def test_the_swapped_columns_are_said() -> None:
    table = next(table for table in study_apriori().tables if (table.number, table.scope) == (8, "85"))
    assert any("swapped" in remark for remark in table.remarks)


def test_own_transactions_are_mined_alike(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("source,type,items\nx,T,DN\nx,T,D\nx,M,N\n")
    study = study_own(path)
    found = {(line.group, line.item): line.value for line in study.tables[0].lines}
    assert found == {("T", "D"): 1.0, ("T", "N"): 0.5, ("M", "N"): 1.0}
    assert study.mining[0].transactions == 3


@pytest.mark.parametrize("content", ["a,b\n1,2\n", ""])
def test_a_table_of_another_form_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "other.csv"
    path.write_text(content)
    with pytest.raises(InvalidInput, match="lacks the columns"):
        study_own(path)
    with pytest.raises(InvalidInput, match="cannot be read"):
        study_own(tmp_path / "none.csv")
