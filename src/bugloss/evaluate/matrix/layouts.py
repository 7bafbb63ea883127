"""Tables as two papers print them, with today's tools on our bugs, and every table behind a plot.

defect4ML (Morovati, Nikanjam, Khomh, Jiang, 2023), Table 6: what each tool says of each bug, × where it cannot be used.
gDefects4DL (Liang, Lin, Song, Sun, Feng, Dong, ICSE 2022 demonstrations), Table 1: bugs of each type that each tool
finds, / where a tool supports none.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bugloss.core.taxonomy import BugType, GeneralType, Property
from bugloss.core.taxonomy.label import Label
from bugloss.evaluate.matrix.grading import Graded
from bugloss.evaluate.matrix.marks import marks_of
from bugloss.evaluate.matrix.outcome import BugOutcome
from bugloss.evaluate.matrix.scores import ToolScores
from bugloss.evaluate.matrix.truth import REAL, BugFacts
from bugloss.evaluate.share import Share

_DEFECT4ML = "defect4ML"
_PRINTED = {  # bugs of each type in gDefects4DL's Table 1
    GeneralType.SHAPE_MISMATCH: 11,
    GeneralType.API_MISUSE: 23,
    GeneralType.NUMERIC_ERROR: 8,
    GeneralType.TYPE_MISMATCH: 16,
    GeneralType.ARCHITECTURE_CONVENTION_VIOLATION: 4,
    GeneralType.PERFORMANCE: 2,
}
_SOURCES = {"stackoverflow": "SO"}


@dataclass(frozen=True, slots=True)
class MatrixTable:
    """A table with the name of its file."""

    name: str
    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    @property
    def csv(self) -> str:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.headings, *self.rows])
        return text.getvalue()


def paper_tables(graded: Graded) -> tuple[MatrixTable, ...]:
    """Both layouts, where there are real bugs to fill them."""
    real = [one for one in graded.outcomes if one.facts.kind == REAL]
    return (_table_6(graded, real), _table_1(graded, real)) if real else ()


def plot_tables(graded: Graded) -> tuple[MatrixTable, ...]:
    """The numbers behind every plot."""
    return (_matrix(graded), _scores(graded), _groups(graded), _pairs(graded))


def _tools(graded: Graded) -> tuple[str, ...]:
    return tuple(tool.name for tool in graded.asked.tools)


def _by_bug(outcomes: Sequence[BugOutcome]) -> dict[str, dict[str, BugOutcome]]:
    found: dict[str, dict[str, BugOutcome]] = {}
    for one in outcomes:
        found.setdefault(one.facts.bug, {})[one.tool] = one
    return found


def _table_6(graded: Graded, real: Sequence[BugOutcome]) -> MatrixTable:
    tools, by_bug = _tools(graded), _by_bug(real)
    facts = {one.facts.bug: one.facts for one in real}
    ours = [bug for bug in facts if any(alias.startswith(_DEFECT4ML) for alias in facts[bug].aliases)]
    shown = ours or list(facts)
    rows = tuple((*_described(facts[bug]), *(_result(by_bug[bug][tool]) for tool in tools)) for bug in shown)
    which = (
        f"Shown are the bugs that re-create one of defect4ML: {len(ours)}."
        if ours
        else "All are shown: none is one of defect4ML."
    )
    note = f"{which} × the tool does not apply; – it could not be run. The paper tried NeuraLint and DeepLocalize."
    headings = ("Bug ID", "Source", "Framework", "Violated property", "Bug type", *(f"{tool} result" for tool in tools))
    return MatrixTable("defect4ml-table-6", "As Table 6 of defect4ML: what each tool says", headings, rows, note)


def _described(facts: BugFacts) -> tuple[str, ...]:
    alias = next((name for name in facts.aliases if name.startswith(_DEFECT4ML)), "")
    shown = f"{facts.bug} ({alias})" if alias else facts.bug
    source = _SOURCES.get(facts.source, "GitHub")
    return shown, source, facts.framework, _title(Property, facts.violated_property), _title(BugType, facts.bug_type)


def _title(facet: type[Label], value: str) -> str:
    return facet(value).meaning.title


def _result(one: BugOutcome) -> str:
    if one.buggy.word.counts:
        return one.buggy.reply.text or one.buggy.word.value
    return "×" if one.buggy.word.value == "does-not-apply" else "–"


def _table_1(graded: Graded, real: Sequence[BugOutcome]) -> MatrixTable:
    tools = _tools(graded)
    mark = next(iter(marks_of(graded.asked.task).values()))
    rows = []
    for kind, printed in _PRINTED.items():
        mine = [one for one in real if one.facts.general_type == kind.value]
        bugs = len({one.facts.bug for one in mine})
        cells = []
        for tool in tools:
            counted = [one for one in mine if one.tool == tool and one.buggy.word.counts]
            cells.append(f"{sum(map(mark, counted))} of {len(counted)}" if counted else "/")
        rows.append((kind.meaning.title, kind.meaning.definition, str(printed), str(bugs), *cells))
    note = "A number is how many bugs a tool gets right, of those that it applies to; / it applies to none."
    headings = ("Type", "Description", "Bugs in gDefects4DL", "Bugs here", *tools)
    return MatrixTable("gdefects4dl-table-1", "As Table 1 of gDefects4DL: types of bugs", headings, tuple(rows), note)


def _matrix(graded: Graded) -> MatrixTable:
    marks = marks_of(graded.asked.task)
    headings = (
        *("bug", "kind", "category", "framework", "stack", "tool", "buggy", "fixed"),
        *(name.replace(" ", "_") for name in marks),
        *("seconds_buggy", "seconds_fixed", "answer", "answer_on_fixed", "reason"),
    )
    rows = tuple(
        (
            *(one.facts.bug, one.facts.kind, one.facts.category, one.facts.framework, one.facts.stack, one.tool),
            *(one.buggy.word.value, one.fixed.word.value),
            *(str(int(mark(one))) if one.buggy.word.counts else "" for mark in marks.values()),
            *(f"{one.buggy.seconds:.3f}", f"{one.fixed.seconds:.3f}"),
            *(one.buggy.reply.text, one.fixed.reply.text, one.buggy.reason),
        )
        for one in graded.outcomes
    )
    return MatrixTable("matrix", "Every tool and bug", headings, rows)


_SCORE_HEADINGS = ("measure", "value", "low", "high", "count", "of")


def _scores(graded: Graded) -> MatrixTable:
    rows = tuple(
        (section.kind, tool, *row)
        for section in graded.sections
        for tool, scores in section.scores.items()
        for row in _measures(scores)
    )
    return MatrixTable("scores", "Scores", ("kind", "tool", *_SCORE_HEADINGS), rows)


def _groups(graded: Graded) -> MatrixTable:
    rows = tuple(
        (section.kind, tool, grouping, label, *row)
        for section in graded.sections
        for tool, groupings in section.groups.items()
        for grouping, labels in groupings.items()
        for label, scores in labels.items()
        for row in _measures(scores)
    )
    return MatrixTable("groups", "Scores by group", ("kind", "tool", "grouping", "label", *_SCORE_HEADINGS), rows)


def _measures(scores: ToolScores) -> Iterator[tuple[str, ...]]:
    for name, one in scores.measures.items():
        if isinstance(one, Share):
            yield (name, f"{one.value:.4f}", *(f"{edge:.4f}" for edge in one.interval), str(one.count), str(one.of))
        else:
            yield (name, f"{one.value:.4f}", f"{one.low:.4f}", f"{one.high:.4f}", "", "")


def _pairs(graded: Graded) -> MatrixTable:
    rows = tuple(
        (
            *(section.kind, pair.first, pair.second, pair.measure, str(pair.bugs)),
            *(str(pair.only_first), str(pair.only_second), f"{pair.difference.value:.4f}"),
            *(f"{pair.difference.low:.4f}", f"{pair.difference.high:.4f}", f"{pair.p:.3g}", f"{pair.p_holm:.3g}"),
            *(f"{pair.odds_ratio:g}", f"{pair.cohens_g:g}"),
        )
        for section in graded.sections
        for pair in section.pairs
    )
    headings = (
        *("kind", "first", "second", "measure", "bugs", "only_first", "only_second", "difference", "low", "high"),
        *("p", "p_holm", "odds_ratio", "cohens_g"),
    )
    return MatrixTable("pairs", "Pairs of tools", headings, rows)
