"""The plots of an evaluation, with every place worked out: the matrix, scores with intervals, seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bugloss.evaluate.matrix.cell import EvaluationTask
from bugloss.evaluate.matrix.grading import Graded, GradedSection
from bugloss.evaluate.matrix.marks import marks_of
from bugloss.evaluate.matrix.outcome import BugOutcome, SideOutcome, SideWord
from bugloss.evaluate.retrieval import Estimate
from bugloss.evaluate.share import Share
from bugloss.show.page.scale import Scale, scale_of

SIDE = 15  # of a field
_BAND = 56  # bugs in one band
_ROW, _LEFT, _RIGHT = 20, 130, 880


@dataclass(frozen=True, slots=True)
class MatrixField:
    """One tool and one bug: the upper half is the buggy program, the lower half the fixed one."""

    x: int
    y: int
    upper: str
    lower: str
    title: str


@dataclass(frozen=True, slots=True)
class MatrixBand:
    """Bugs of one category side by side, a row for each tool."""

    title: str
    width: int
    height: int
    tools: tuple[tuple[int, str], ...]
    bugs: tuple[tuple[int, str, str], ...]
    fields: tuple[MatrixField, ...]


@dataclass(frozen=True, slots=True)
class Whisker:
    """A value with its interval, in one row."""

    y: float
    name: str
    low: str
    high: str
    x: str
    words: str


@dataclass(frozen=True, slots=True)
class WhiskerPlot:
    """One measure of all tools."""

    title: str
    height: int
    whiskers: tuple[Whisker, ...]
    ticks: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SecondsRow:
    """All answers of one tool, a tick each, and the median."""

    y: float
    name: str
    ticks: tuple[str, ...]
    median: str
    words: str


@dataclass(frozen=True, slots=True)
class SecondsPlot:
    """Seconds of all tools on one axis."""

    height: int
    rows: tuple[SecondsRow, ...]
    ticks: tuple[tuple[str, str], ...]


def matrix_bands(graded: Graded, section: GradedSection) -> list[MatrixBand]:
    """The heat map of one kind of bugs, category by category."""
    by_category: dict[str, list[str]] = {}
    for bug in graded.asked.bugs:
        if bug.kind == section.kind:
            by_category.setdefault(bug.category, []).append(bug.bug)
    outcomes = {(one.tool, one.facts.bug): one for one in graded.outcomes}
    bands = []
    for category, bugs in sorted(by_category.items()):
        for start in range(0, len(bugs), _BAND):
            bands.append(_band(category, bugs[start : start + _BAND], graded, outcomes))
    return bands


def _band(
    category: str, bugs: Sequence[str], graded: Graded, outcomes: dict[tuple[str, str], BugOutcome]
) -> MatrixBand:
    tools = [tool.name for tool in graded.asked.tools]
    titles = {bug.bug: bug.title for bug in graded.asked.bugs}
    fields = tuple(
        _field(_LEFT + column * SIDE, row * SIDE, outcomes[tool, bug], graded.asked.task)
        for row, tool in enumerate(tools)
        for column, bug in enumerate(bugs)
    )
    return MatrixBand(
        category,
        _LEFT + _BAND * SIDE,
        len(tools) * SIDE + 78,
        tuple((row * SIDE + SIDE - 4, tool) for row, tool in enumerate(tools)),
        tuple((_LEFT + column * SIDE + SIDE // 2, bug, titles[bug]) for column, bug in enumerate(bugs)),
        fields,
    )


_FAILED = {
    SideWord.NOT_APPLICABLE: "none",
    SideWord.ENVIRONMENT: "machine",
    SideWord.TOOL: "failed",
    SideWord.MISSING: "machine",
}


def _field(x: int, y: int, one: BugOutcome, task: EvaluationTask) -> MatrixField:
    first, mark = next(iter(marks_of(task).items()))
    right = one.buggy.word.counts and mark(one)
    upper = _FAILED.get(one.buggy.word) or ("right" if right else "missed")
    lower = upper if len(task.sides) == 1 else _FAILED.get(one.fixed.word) or _on_fixed(one)
    words = [f"{one.facts.bug}, {one.tool}: {_words(one.buggy, first if right else '')}"]
    if len(task.sides) == 2:
        words.append(f"fixed program: {_words(one.fixed)}")
    return MatrixField(x, y, upper, lower, "; ".join(words))


def _on_fixed(one: BugOutcome) -> str:
    return "alarm" if one.false_alarm else "quiet"


def _words(side: SideOutcome, mark: str = "") -> str:
    said = side.reply.text if side.word.counts else side.reason
    head = mark or side.word.value.replace("-", " ")
    return f"{head} ({said})" if said else head


def whisker_plots(section: GradedSection) -> list[WhiskerPlot]:
    """A plot for each measure that some tool has."""
    names = list(dict.fromkeys(name for scores in section.scores.values() for name in scores.measures))
    return [_whiskers(name, section) for name in names]


def _whiskers(name: str, section: GradedSection) -> WhiskerPlot:
    across = Scale(0.0, 1.0, _LEFT, _RIGHT - 330)
    whiskers: list[Whisker] = []
    for tool, scores in section.scores.items():
        measure = scores.measures.get(name)
        if measure is None or (isinstance(measure, Share) and not measure.of):
            continue
        low, high = _interval(measure)
        counted = f" ({measure.count} of {measure.of})" if isinstance(measure, Share) else ""
        words = f"{measure.value:.2f}{counted}, 95 % {low:.2f}–{high:.2f}"
        left, right, x = (f"{across.place(value):.1f}" for value in (low, high, measure.value))
        whiskers.append(Whisker(len(whiskers) * _ROW + 12, tool, left, right, x, words))
    ticks = tuple((f"{across.place(tenth / 10):.1f}", f"{tenth / 10:g}") for tenth in range(0, 11, 2))
    return WhiskerPlot(name, len(whiskers) * _ROW + 4, tuple(whiskers), ticks)


def _interval(measure: Share | Estimate) -> tuple[float, float]:
    return measure.interval if isinstance(measure, Share) else (measure.low, measure.high)


def seconds_plot(graded: Graded, section: GradedSection) -> SecondsPlot | None:
    """How long each tool takes, its observed run included."""
    values = {
        tool: sorted(
            side.seconds
            for one in graded.outcomes
            if one.tool == tool and one.facts.kind == section.kind
            for side in (one.buggy, one.fixed)
            if side.word.counts
        )
        for tool in section.scores
    }
    known = [max(value, 0.001) for mine in values.values() for value in mine]
    if not known:
        return None
    across = scale_of(known, _LEFT, _RIGHT - 330)
    rows = tuple(
        SecondsRow(
            number * _ROW + 12,
            tool,
            tuple(dict.fromkeys(f"{across.place(max(value, 0.001)):.1f}" for value in mine)),
            f"{across.place(max(section.scores[tool].median_seconds, 0.001)):.1f}",
            f"median {section.scores[tool].median_seconds:.2f} s, all {section.scores[tool].total_seconds:.0f} s",
        )
        for number, (tool, mine) in enumerate(values.items())
    )
    ticks = tuple((f"{place:.1f}", label) for place, label in across.ticks())
    return SecondsPlot(len(rows) * _ROW + 4, rows, ticks)
