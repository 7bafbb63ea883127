"""How far two people agree who labelled the same things: share of equal labels and Cohen's kappa, per question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.study.localization import SOURCE
from bugloss.study.published_reports import DEEP_LEARNING, TRADITIONAL, LabelledReport
from bugloss.study.result import Cell, StudiedTable, StudyResult
from bugloss.study.significance import cohens_kappa
from bugloss.study.tables_file import read_own_rows

Pairs = Sequence[tuple[str, str]]
_COLUMNS = ("question", "labelled by both", "equal", "share", "kappa", "paper")
# In the whole published data: 385 and 387 reports.
_WHOLE = {"deep learning or not": 0.894, "type of deep-learning bug": 0.986, "extrinsic, deep-learning systems": 0.897}


def study_agreement(labels: Sequence[LabelledReport]) -> StudyResult:
    """The two labellings of the localization study."""
    deep = [label for label in labels if label.system == DEEP_LEARNING]
    questions = {
        "deep learning or not": [label.deep_learning for label in deep],
        "type of deep-learning bug": [label.type for label in deep],
        "extrinsic, deep-learning systems": [label.extrinsic for label in deep],
        "extrinsic, traditional software": [label.extrinsic for label in labels if label.system == TRADITIONAL],
    }
    return StudyResult("agreement", SOURCE, (_table(questions, _WHOLE),))


def study_own_agreement(path: Path) -> StudyResult:
    """Somebody's own labels: a column NAME_1 and a column NAME_2 for each question."""
    rows = read_own_rows(path, ())
    columns = set(rows[0]) if rows else set[str]()
    names = [name.removesuffix("_1") for name in sorted(columns) if name.endswith("_1")]
    asked = [name for name in names if f"{name}_2" in columns]
    questions = {name: [(row[f"{name}_1"] or "", row[f"{name}_2"] or "") for row in rows] for name in asked}
    if not questions:
        raise InvalidInput(
            f"{path} has no question that two people answered.",
            hint="Write a CSV file with two columns for each question, such as symptom_1 and symptom_2.",
        )
    return StudyResult("agreement", path.name, (_table(questions, {}),))


def study_pairs(questions: Mapping[str, Pairs]) -> StudiedTable:
    """Two labellings of the same things, question by question."""
    return _table(questions, {})


def _table(questions: Mapping[str, Pairs], printed: Mapping[str, float]) -> StudiedTable:
    rows = tuple(_row(name, pairs, printed.get(name)) for name, pairs in questions.items())
    return StudiedTable("agreement", "Agreement of two labellings", _COLUMNS, rows)


def _row(question: str, pairs: Pairs, printed: float | None) -> tuple[Cell, ...]:
    both = [(first, second) for first, second in pairs if first and second]
    equal = sum(first == second for first, second in both)
    kappa = cohens_kappa([first for first, _ in both], [second for _, second in both])
    return (question, len(both), equal, round(equal / len(both), 4) if both else None, round(kappa, 4), printed)
