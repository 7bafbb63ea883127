"""What reports say and what that is worth: dlRepro's information by type of bug.

Shah, Rahman, Khomh: Towards Enhancing the Reproducibility of Deep Learning Bugs: An Empirical Study, EMSE 2024.
"""

from __future__ import annotations

from collections.abc import Sequence

from bugloss.core.taxonomy import Information
from bugloss.study.result import Cell, StudiedTable, StudyResult
from bugloss.study.significance import compare_counts
from bugloss.triage.transactions import TYPES, Reproduced

SOURCE = (
    'Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs: An Empirical Study", EMSE 2024'
)
_TYPE_TITLES = {letter: "several types" if label is None else label.title for letter, label in TYPES.items()}


def study_information(bugs: Sequence[Reproduced]) -> StudyResult:
    """How often reports of each type have each piece of information, and whether that depends on the type."""
    return StudyResult("information", SOURCE, (_shares(bugs), _tests(bugs)))


def _having(bugs: Sequence[Reproduced], letter: str, item: Information) -> tuple[int, int]:
    meant = [bug for bug in bugs if bug.type == letter]
    having = sum(item.letter in bug.items for bug in meant)
    return having, len(meant) - having


def _shares(bugs: Sequence[Reproduced]) -> StudiedTable:
    rows: list[tuple[Cell, ...]] = []
    for letter, title in _TYPE_TITLES.items():
        count = sum(bug.type == letter for bug in bugs)
        if count:
            rows.append((title, count, *(round(_having(bugs, letter, item)[0] / count, 4) for item in Information)))
    titles = tuple(item.title for item in Information)
    columns = ("type", "reports", *titles)
    return StudiedTable("information", "Share of reports that have the information", columns, tuple(rows), drawn=titles)


def _tests(bugs: Sequence[Reproduced]) -> StudiedTable:
    rows: list[tuple[Cell, ...]] = []
    for item in Information:
        test = compare_counts([_having(bugs, letter, item) for letter in _TYPE_TITLES])
        rows.append((item.title, test.statistic, test.p, test.effect))
    columns = ("information", "chi-square", "p", "Cramér's V")
    remark = "Some types have few reports, so the p-values are rough."
    title = "Does the type decide what a report has?"
    return StudiedTable("information-tests", title, columns, tuple(rows), (remark,))
