"""The papers' analyses as pages: every table with bars for its shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bugloss.corpus.roots import default_root
from bugloss.show.scores.cells import shown_cell
from bugloss.study.result import Cell, StudiedTable, StudyResult


@dataclass(frozen=True, slots=True)
class StudyTitle:
    """A study in the list."""

    name: str
    title: str
    question: str


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell: its text, and a bar where it is a share."""

    text: str
    is_number: bool
    percent: int | None = None


@dataclass(frozen=True, slots=True)
class TableView:
    """A table of a study."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[CellView, ...], ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StudyView:
    """A study as a page."""

    title: StudyTitle
    source: str
    tables: tuple[TableView, ...]
    remarks: tuple[str, ...]


def _patterns() -> StudyResult:
    from bugloss.core.taxonomy.fix_counts import published_fix_counts
    from bugloss.study.fixes import study_patterns

    return study_patterns(published_fix_counts())


def _corpus_patterns() -> StudyResult:
    from bugloss.study.fixes import study_patterns
    from bugloss.workflows.fix_patterns import count_corpus_fixes

    return study_patterns(count_corpus_fixes(), "The fixes of the corpus")


def _libraries() -> StudyResult:
    from bugloss.core.taxonomy.fix_counts import published_fix_counts
    from bugloss.study.fixes import study_libraries

    return study_libraries(published_fix_counts())


def _information() -> StudyResult:
    from bugloss.core.taxonomy import Information
    from bugloss.study.information import study_information
    from bugloss.triage.transactions import shipped

    return study_information(shipped(Information))


def _localization() -> StudyResult:
    from bugloss.study.localization import study_localization
    from bugloss.study.published_reports import labelled_reports, located_reports

    return study_localization(located_reports(), labelled_reports())


def _agreement() -> StudyResult:
    from bugloss.study.agreement import study_agreement
    from bugloss.study.published_reports import labelled_reports

    return study_agreement(labelled_reports())


def _user_study() -> StudyResult:
    from bugloss.study.user_study import study_user_study

    return study_user_study()


def _corpus_agreement() -> StudyResult:
    from bugloss.workflows.corpus_study import corpus_agreement

    return corpus_agreement()


def _corpus_counts() -> StudyResult:
    from bugloss.workflows.corpus_study import count_corpus

    return count_corpus()


_STUDIES: tuple[tuple[StudyTitle, Callable[[], StudyResult]], ...] = (
    (
        StudyTitle("information", "Information in reports", "What do reports contain, and does the type decide it?"),
        _information,
    ),
    (StudyTitle("patterns", "Fix patterns", "How are fixes distributed over the fix patterns?"), _patterns),
    (
        StudyTitle("corpus-patterns", "Fix patterns of the corpus", "The same for the bugs of this corpus."),
        _corpus_patterns,
    ),
    (StudyTitle("libraries", "Libraries", "Do libraries differ in how their bugs are fixed?"), _libraries),
    (
        StudyTitle("localization", "Localization", "Which systems and types of bugs are harder to localize?"),
        _localization,
    ),
    (StudyTitle("agreement", "Agreement", "How far do two people agree on labels?"), _agreement),
    (
        StudyTitle("corpus-agreement", "Agreement on the corpus", "How far do the two labellings of our bugs agree?"),
        _corpus_agreement,
    ),
    (StudyTitle("corpus", "The corpus", "How many bugs are there of each kind?"), _corpus_counts),
    (StudyTitle("user-study", "Hints", "Do hints help people to reproduce bugs?"), _user_study),
)
STUDIES = tuple(title for title, _ in _STUDIES)


def study_result(name: str) -> StudyResult | None:
    """A study by name, run once for each corpus; None where there is none."""
    return _run(name, default_root())


@lru_cache(maxsize=16)
def _run(name: str, corpus: Path) -> StudyResult | None:
    return next((run() for title, run in _STUDIES if title.name == name), None)


def view_study(name: str) -> StudyView | None:
    """The page of a study."""
    result = study_result(name)
    if result is None:
        return None
    title = next(title for title in STUDIES if title.name == name)
    return StudyView(title, result.source, tuple(_table(table) for table in result.tables), result.remarks)


def table_csv(name: str, table: str) -> str | None:
    """One table of a study as CSV."""
    result = study_result(name)
    return next((one.as_csv for one in result.tables if one.name == table), None) if result else None


def _table(table: StudiedTable) -> TableView:
    drawn = {table.columns.index(name) for name in table.drawn}
    rows = tuple(tuple(_cell(value, at in drawn) for at, value in enumerate(row)) for row in table.rows)
    return TableView(table.name, table.title, table.columns, rows, table.remarks)


def _cell(value: Cell, drawn: bool) -> CellView:
    is_number = isinstance(value, int | float)
    percent = round(100 * value) if drawn and isinstance(value, int | float) and 0 <= value <= 1 else None
    return CellView(shown_cell(value), is_number, percent)
