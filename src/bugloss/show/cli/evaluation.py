"""Scores of localization methods for people: a table, groups, paired tests, and the study's tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bugloss.core.errors import EnvironmentFailure
from bugloss.core.written_file import write_inside
from bugloss.evaluate.localization import LocalizationEvaluation
from bugloss.evaluate.retrieval import Estimate, Scores
from bugloss.evaluate.study_tables import StudyTable
from bugloss.show.cli.output import console
from bugloss.workflows.evaluation import EvaluationResult, write_outcome

GROUPS = {
    "named": "names a true file",
    "project": "project",
    "type": "bug type",
    "origin": "origin",
    "class": "project class",
    "system": "system",
}
MEASURES = ("Top@1", "Top@5", "Top@10", "MAP", "MRR")


def show_outcome(outcome: EvaluationResult, groups: Sequence[str], *, tables: bool) -> None:
    """Prints everything that was asked for."""
    screen = console()
    counted = "with test files" if outcome.tests else "without test files"
    _show(screen, outcome.evaluation, f"{outcome.evaluation.reports} reports, {counted}", groups)
    if outcome.functions is not None:
        _show(screen, outcome.functions, f"{outcome.functions.reports} reports, functions", groups)
    for table in outcome.tables if tables else ():
        screen.print(_study_table(table))


def _show(screen: Console, evaluation: LocalizationEvaluation, title: str, groups: Sequence[str]) -> None:
    table = Table(title=title, box=None, title_justify="left")
    for heading in ("method", *MEASURES):
        table.add_column(heading)
    for method in evaluation.methods:
        table.add_row(method.method, *_cells(method.overall))
        for group in groups:
            for label, scores in method.groups.get(group, {}).items():
                table.add_row(f"  {group}: {label} ({scores.reports})", *_cells(scores), style="dim")
    screen.print(table)
    for pair in evaluation.pairs:
        found = pair.average_precision
        screen.print(
            f"{pair.first} and {pair.second}: MAP {found.difference:+.3f}, p = {found.p:.2g}, rank-biserial "
            f"{found.rank_biserial:+.2f}, Cohen's d {found.cohens_d:+.2f}"
        )


def _cells(scores: Scores) -> list[str]:
    measures = (scores.top1, scores.top5, scores.top10, scores.mean_average_precision, scores.mean_reciprocal_rank)
    return [_cell(one) for one in measures]


def _cell(one: Estimate) -> str:
    return f"{one.value:.3f} ({one.low:.3f}–{one.high:.3f})"


def _study_table(table: StudyTable) -> Table:
    shown = Table(title=f"Table {table.number}: {table.title}", caption=table.note, box=None, title_justify="left")
    for number, heading in enumerate(table.columns):
        shown.add_column(heading, justify="right" if number else "left")
    for section in table.sections:
        if section.name:
            shown.add_row(Text(section.name, "bold"))
        for row in section.rows:
            shown.add_row(*row)
    return shown


def write_folder(folder: Path, outcome: EvaluationResult) -> None:
    """The rankings, the tables of the study and the figure."""
    from bugloss.show.scores import draw_curves, tables_as_markdown

    try:
        write_outcome(folder, outcome)
        write_inside(folder, "tables.md", tables_as_markdown(outcome.tables))
        evaluation = outcome.evaluation
        figure = draw_curves(evaluation.methods, evaluation.reports)
        write_inside(folder, "top_at_k.svg", figure)
    except OSError as error:
        raise EnvironmentFailure(
            f"{folder} cannot be written: {error.strerror}.", hint="Name another: -o DIR"
        ) from error
