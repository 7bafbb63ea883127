"""The files that an evaluation is published as: results, a CSV behind every plot, tables, and one page."""

from __future__ import annotations

from pathlib import Path

from bugloss.core.codec import encode
from bugloss.core.plural import plural
from bugloss.core.visible import json_text
from bugloss.evaluate.matrix.grading import Graded, document
from bugloss.evaluate.matrix.layouts import MatrixTable, paper_tables, plot_tables
from bugloss.evaluate.matrix.store import RESULTS, write_results
from bugloss.show.scores.evaluation_plots import matrix_bands, seconds_plot, whisker_plots
from bugloss.show.templates import fill

PAGE = "index.html"
_TEMPLATES = Path(__file__).parent / "templates"
_MOST_PAIRS = 40


def write_report(folder: Path, graded: Graded) -> None:
    """Writes everything that follows from the cells."""
    write_results(folder, RESULTS, json_text(encode({"schema": "bugloss.evaluation/1", **document(graded)}), 1) + "\n")
    for table in (*plot_tables(graded), *paper_tables(graded)):
        write_results(folder, f"{table.name}.csv", table.csv)
    write_results(folder, PAGE, evaluation_page(graded))


def evaluation_page(graded: Graded) -> str:
    """The page as one HTML text."""
    asked = graded.asked
    sections = [
        {
            "section": section,
            "bands": matrix_bands(graded, section),
            "plots": whisker_plots(section),
            "seconds": seconds_plot(graded, section),
            "pairs": _pairs(graded, section.kind),
            "title": plural(len(section.bugs), f"{section.kind} bug"),
        }
        for section in graded.sections
    ]
    return fill(
        _TEMPLATES,
        "evaluation.html",
        asked=asked,
        task=asked.task.value,
        tools=plural(len(asked.tools), "tool"),
        bugs=plural(len(asked.bugs), "bug"),
        both=len(asked.task.sides) == 2,
        sections=sections,
        papers=paper_tables(graded),
        failures=graded.environment_failures,
        missing=graded.missing,
    )


def _pairs(graded: Graded, kind: str) -> MatrixTable:
    """The pairs of tools, the surest differences first."""
    section = next(one for one in graded.sections if one.kind == kind)
    surest = sorted(section.pairs, key=lambda pair: pair.p_holm)[:_MOST_PAIRS]
    rows = tuple(
        (
            *(pair.first, pair.second, pair.measure, str(pair.bugs), str(pair.only_first), str(pair.only_second)),
            f"{pair.difference.value:+.2f} ({pair.difference.low:+.2f} to {pair.difference.high:+.2f})",
            *(f"{pair.p:.2g}", f"{pair.p_holm:.2g}", f"{pair.odds_ratio:.2g}"),
        )
        for pair in surest
    )
    headings = (
        *("first", "second", "measure", "bugs", "only first", "only second"),
        *("difference", "p (McNemar)", "p after Holm", "odds ratio"),
    )
    return MatrixTable("pairs", "Pairs of tools", headings, rows)
